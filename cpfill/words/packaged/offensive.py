"""The words that the packaged lists leave out: slurs, and the obscenities that newspapers do not print.

They were chosen by hand from the words of the dictionaries, with the help of five lists: cuss 2.2.0 (MIT) and
naughty-words 1.2.0 (CC BY 4.0) from npm, better-profanity 0.7.0 and glin-profanity 4.1.0 (MIT) from the Python index,
and the words that hunspell's American dictionary never suggests. No list is used unchanged, because they include
"banana", "church" and "welfare", or "mettre" and "gros".

A word is offensive if it insults people for what they are, or is obscene in every sense. Words with a different sense
that is as common stay: animals (ass, cock, tit), plants (pansy), tools (dyke, prick). So do mild oaths (damn, crap),
insults to a person's intelligence (idiot), anatomy, and words for grave matters (rape, slave).
"""

from __future__ import annotations

# Each word includes its plural in -s. Other forms are listed, because a rule would derive "spicy" from "spic".
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

# Entries of constructors' lists that no dictionary has.
_ENTRIES = """
beaner bukkake chinaman chinamen cracka cumshot dickwad eatpussy fucktard gangbang gyppo handjob injun jap jizz lezbo
lezzie nword paki pakis porchmonkey raghead rimjob shemale shitfest shitshow slutshame towelhead trannies tranny wigger
"""

# Offensive words that also occur in innocent phrases and names: Maine coon, chink in the armor, pussy willow,
# honky-tonk, E. E. Cummings, Alan Cumming.
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

# Phrases whose parts are innocent.
_FRENCH_PHRASES = "nique sa mère, nique ta mère, niquer sa mère"

ENGLISH = frozenset(_ENGLISH.split())
FRENCH = frozenset(_FRENCH.split())
FRENCH_PHRASES = frozenset(_FRENCH_PHRASES.split(", "))
ENTRIES = frozenset(_ENTRIES.split())
INNOCENT_PARTS = frozenset(_INNOCENT_PARTS.split())
