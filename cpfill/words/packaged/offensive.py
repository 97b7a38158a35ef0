"""The words that the packaged lists leave out: slurs, and the obscenities that newspapers do not print.

They were chosen by hand among the words of the dictionaries, five lists beside them: cuss 2.2.0 (MIT) and naughty-words
1.2.0 (CC BY 4.0) of npm, better-profanity 0.7.0 and glin-profanity 4.1.0 (MIT) of the Python index, and what hunspell's
American dictionary never suggests. None of these is used as it is: they name "banana", "church" and "welfare", or
"mettre" and "gros".

Offensive is what insults people for what they are, and what is obscene in whatever sense. Words with another sense that
is as common stay: animals (ass, cock, tit), plants (pansy), tools (dyke, prick). So do mild oaths (damn, crap), insults
to somebody's wits (idiot), anatomy, and words for grave matters (rape, slave).
"""

from __future__ import annotations

# Each word stands for its plural in -s as well. Other forms are written out: by a rule "spic" would take "spicy" along.
_ENGLISH = """
bohunk boong chink coloreds coloureds coolie coon dago dagoes darkie darkies darky golliwog gook greaseball gyp gypped
gypper gypping gypster halfbreed honkies honky jigaboo kafir kike kraut lubra mulatto mulattoes negro negroid nigga
niggaz nigger niggerhead octoroon pickaninnies pickaninny piccaninnies piccaninny quadroon redskin sambo shiksa
shylock spic squaw wetback whitey wog wop yid

fag faggot fagot homo mong mongolism mongoloid nance poof poofter retard retarded spastics

arsehole asshole bitch bitched bitches bitchier bitchiest bitchily bitchiness bitching bitchy blowjob bollocking
bollocks bullshit bullshitted bullshitter bullshitting chickenshit cocksucker cumming cums cunt dickhead fuck fucked
fucker fuckhead fucking horseshit milf motherfucker motherfucking piss pissed pisser pisses pissing poon pussies pussy
shit shitfaced shithead shitload shitted shittier shittiest shitting shitty shitwork slut sluttier sluttiest sluttish
slutty sonsofbitches titties titty twat wank wanked wanker wanking whore whoredom whorehouse whoreish whoremaster
whoreson whoring whorish
"""

# Entries that no dictionary has, and constructors' lists do.
_ENTRIES = """
beaner bukkake chinaman chinamen cracka cumshot dickwad fucktard gangbang gyppo handjob injun jap jizz lezbo lezzie
nword paki pakis porchmonkey raghead rimjob shemale shitfest shitshow slutshame towelhead trannies tranny wigger
"""

# Parts of innocent phrases: Maine coon, chink in the armor, pussy willow, honky-tonk, E. E. Cummings, Alan Cumming.
_INNOCENT_PARTS = """
bohunk boong chink coloreds coolie coon cumming dago darky fag gook gyp homo honky kraut mong mulatto nance negro poof
poon pussies pussy quadroon redskin retard sambo shylock spic squaw titty whitey wog wop yid
"""

# Entries of the dictionary, with all of their forms.
_FRENCH = """
bamboula bicot boche bougnoule chinetoque chleu crouillat crouille fritz moricaud mulâtre métèque niaque nègre
nègrerie négrerie négresse négrille négrillon négro négroïde rital schleu youpin

enculade enculage enculer enculerie enculeur enculé fiotte gogol gouinasse gouine gougnote gougnoter gougnotte
gougnotter lopette mongolien mongolisme mongoloïde pédé tafiole tantouse tantouze tarlouse tarlouze travelo

bite branlette branleur branlocher casse-couille casse-couilles chiant chiasse chiatique chier chierie chieur chiotte
chiée conard conasse connard connasse couillard couille couiller couillon couillonnade couillonner couillu emmerdant
emmerde emmerdement emmerder emmerderesse emmerdeur enfoirer enfoiré foufoune grognasse lèche-cul merdaille merdaillon
merde merder merdeux merdier merdique merditude merdouille merdouiller merdoyer niquer niqueur pouffiasse putain
putasserie putassier pute pétasse queutard salope sous-merde troufignon turlute turlutte zob
"""

ENGLISH, FRENCH = frozenset(_ENGLISH.split()), frozenset(_FRENCH.split())
ENTRIES, INNOCENT_PARTS = frozenset(_ENTRIES.split()), frozenset(_INNOCENT_PARTS.split())
