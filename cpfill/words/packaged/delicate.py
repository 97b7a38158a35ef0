"""The delicate words: a puzzle for the breakfast table does without them, though a constructor may ask for them.

They were chosen by hand, by seven rules. A word is delicate if it is of

1. sex, its organs, its trade or its diseases, but not what a family paper says of love (kiss, nude, erotic, orgy);
2. what a body excretes, but not illness (vomit, mucus);
3. drugs, those who take them and their gear, but not medicine or what puzzles have long printed (LSD, opiate, toke);
4. killers and criminals by name, hatred and its deeds, suicide and abortion;
5. slavery;
6. a people or a kind of people, by a dated word, or by an insult milder than those in offensive.py;
7. an insult to a body or a mind (midget, spaz), or a coarse one (dumbass).

Mild oaths (damn, crap), insults that no editor minds (idiot, moron) and history that newspapers print daily (Stalin,
Taliban, apartheid) are not delicate. Nor is a word with a different sense that is as common: a bum or a hobo, a slope,
Paddy and Willie, to shag a fly ball, the goddess Isis, in French a gland, a viole or a pine.

The sources that helped to find words are those of offensive.py. README.md says how many of the words that constructors
call tasteless these lists have.
"""

from __future__ import annotations

# Each word includes its plural in -s; other forms are listed.
_ENGLISH = """
adultfilm adultmovie anal anally anilingus anus anuses areolae ballgag bazooms bbw bdsm bestiality biatch bluefilm
bluemovie bondage boner boobjob boobs bootycalls brothel buttplug buttsex callgirl camgirl castrate castrated castrater
castrating castration catamite cathouse chlamydia circlejerk circumcise circumcised circumcising circumcision clit
clitoral clitoris clitorises cockblock cockblocked cockblocking cocktease coital coition coitus coituses condom copulate
copulated copulating copulation copulatory crablice cum cunnilingus cybersex deepthroat deepthroated deepthroating
defloration deflower deflowered deflowering dickpics dildo dilfs doggystyle dominatrix douche douched douching ejaculate
ejaculated ejaculating ejaculation ejaculatory erectile erection escortservices fapping fellate fellated fellating
fellatio femdom fisting foreplay foreskin fornicate fornicated fornicating fornication fornicator gangbanger gayporn
genital genitalia genitally gonad gonadal gonorrhea gonorrheal gonorrhoea groupsex gspot hardon hentai herpes homoerotic
homoeroticism hoochie hooker horndog hornier horniest horniness horninesses horny humping hymen inseminate inseminated
inseminating insemination jackoff jailbait jerkoff jism labia lapdance lapdancing literotica masturbate masturbated
masturbating masturbation masturbator masturbatory menses menstrual menstruate menstruated menstruating menstruation
moneyshot morningwood muffdivers nipple nipslips nookie nooky nymphet nympho nymphomania nymphomaniac onanism onanist
onenightstand orgasm orgasmed orgasmic orgasmically orgiastic ovulate ovulated ovulating ovulation panties papsmears
paraphilia peepshow penes penile penis penises perineum perv perved perversion pervert perverted perverting perving
pervy phallic phallus phalluses phonesex pimp pimped pimping poontang porn porno pornographer pornographic pornography
pornstar priapic priapism prostitute prostituted prostituting prostitution pube pubic pudenda pudendum rectal rectally
rectum redlightdistrict rentboy sadomasochism sadomasochist sadomasochistic schlong scrota scrotal scrotum semen
sexaholics sexchange sexfiend sexmaniac sexobject sexorgan sexploitation sexscandal sextape sextherapist sextoy
sexualpartner sexworker sixtynine skank skanky skinflick smegma sodomise sodomised sodomising sodomist sodomite sodomize
sodomized sodomizing sodomy sperm spermatic spermatozoa spermatozoon spermdonor spermicidal spermicide strapon
streetwalker streetwalking stripclub stripper stripperpole striptease stripteased stripteaser stripteasing syphilis
syphilitic tampon tamponed testicle testicular testis tribade tumescence tumescent twink uncircumcised underboob upskirt
vagina vaginae vaginal vaginally vaginitis vajayjay vasectomies vasectomy venereal vibrator virginities virginity voyeur
vulva vulvae vulval vulvar wifeswapping
analsex analstage breakupsex casualsex cockring extramaritalsex havesex oralsex penisenvy porngroove pornsite
sexposition sexslave sextrade sexualactivity sexualintercourse sexualrelation thesextrade titsandass whiskeydick
whiskydick

bedwetter bedwetting booger caca colostomies colostomy crapper defecate defecated defecating defecation defecator
diarrhea diarrheal diarrhoea dookie enema excrement excremental excreta excrete excreted excreting excretion excretory
faecal faeces fart farted farting fecal feces feculent flatulence flatulent flatus flatuses goldenshower haemorrhoid
hemorrhoid hemorrhoidal incontinence incontinent laxative peed peeing poo pooed pooing poop pooped pooper pooperscoopers
pooping pottyhumor scatological scatology shart sharted sharting shat shite skidmark snot suppositories suppository turd
urethra urethrae urinal urinate urinated urinating urination urine weewee widdle widdled widdling

acidhead acidtrip amphetamine angeldust bong bonged bonghit bonging cocaine crackbabies crackhead crackhouse crackpipes
dimebag dopefiend drugabuse drugabuser drugaddict drugbusts drugcartel drugdeal druggie druggy druglabs druglord
drugring drugtrip fentanyl freebase freebased freebasing ganja gethigh ghb gluesniffer hashhead hashhouse hashish heroin
hophead junkie lude magicmushroom mainliner marijuana mescaline meth methamphetamine methhead methlab nickelbag opiumden
overdose overdosed overdosing oxycontin percocet percs peyote pillpoppers pothead potsmoker psilocybin quaalude
roachclips roofie roofied shrooms sizzurp smokepot speedball spliff stoner vicodin

abortion abortionist alqaeda antiabortion antisemite antisemitic antisemitism auschwitz axemurderer billcosby blackface
bobbitt brownshirt btk buchenwald carbombs concentrationcamp cosby dachau dahmer eichmann ethniccleansing eugenicist
eugenics evabraun finalsolution fuehrer fuhrer gacy gasoven genocidal genocide gestapo goebbels goering hatecrime
hatemonger himmler hitlerian hitleryouth holocaust incest incestuous infanticide isil islamophobe jamesearlray jihadist
jimjones jimmysavile kkk klan koresh kristallnacht kukluxklan lynched lynches lynching lynchmob manson massmurderers
meinkampf mengele molest molestation molested molester molesting nambla nazi nazification nazified nazifies nazify
nazifying naziism naziparty nazism necrophile necrophilia necrophiliac neonazi noose osama osamabinladen paedophile
paedophilia paedophilic pederast pederasties pederasty pedo pedophile pedophilia pedophilic pipebomb pogrom proabortion
qanon rape raped rapekits raper rapey raping rapist rkelly sandyhook schoolshooting schutzstaffel selfimmolation
serialkiller sirhan skinhead statutoryrape stillbirth stillborn suicidal suicidally suicide suicidepact swastika
unabomber uvalde warcriminal waterboard waterboarded waterboarding whitepower wifebeater
childabuse childporn commitsuicide deathcamp gaschamber lynchlaw lynchmob sexualabuse sexualharassment suicidenote

antislavery auntjemima enslave enslaved enslavement enslaver enslaving mammies mammy middlepassage slave slaved
slavedriver slaveholder slaveholding slavelabor slaveowners slaver slavery slaving uncletom wageslave
galleyslave slavestate slavetrade worklikeaslave

aborigine blackamoor blackie brownface bushman bushmen chinesefiredrills chinky cripple crippled crippler eskimo gypsies
gypsy halfcastes heeb hermaphrodite honkey hottentot indiangiver jewess junglebunny kaffir ladyboy limpwristed
minstrelshow mohammedan moslem negroes ofay oriental papist papistry papoose peckerwood polack pygmies pygmy redneck
sheeny spick squawman trailertrash transexual transsexual transvestism transvestite

assbackwards assclown asshat assman asswipes biatch bimbo buggeries buggery butterface butthole candyassed cuck cucked
cucking deafanddumb deafmute dickish dumbass dumbasses fatass fatshame fatshamed fatshaming fatso fatties gimp gimped
gimping gimpy harelip incel jagoff kissmyass lameass midget mingers nutjobs psychoward schizo scumbag spastic spaz stfu
dickbutton dickmove suckit tard thunderthighs tightass tightassed tuboflard
"""

# Delicate words that also occur in innocent phrases and names: Gypsy Rose Lee, sperm whale, Of Human Bondage.
_INNOCENT_PARTS = """
abortion adultfilm anal assman bbw biatch blackie bondage boner bong butthole caca carbombs clit cosby cripple cum
deflower dimebag erection eskimo fart fornication genital gethigh gimp gypsy hardon heeb hooker horny hymen isil junkie
kkk klan labia manson meth middlepassage midget nipple noose oriental overdose panties papist pedo peed penis perv
phallic pimp poo poop pooped pooper porn pygmies pygmy raper sexchange shat sixtynine slave slaver snot spaz sperm
stillborn stoner strapon stripper suckit suicide tard turd twink uncletom urine weewee
"""

# Entries of the dictionary, with all of their forms.
_FRENCH = """
anal anulingus anus baisable baiseur baisodrome bestialité biroute blennorragie branler burne castrateur castration
castrer catin châtrer chibre chlamydia clito clitoridectomie clitoridien clitoris coït coïtal coïter condom copulateur
copulation copuler cunnilinctus cunnilingus cyprine défloration déflorer dépucelage dépuceler échangisme échangiste
éjaculat éjaculateur éjaculation éjaculatoire éjaculer émasculation émasculer érectile érection fellation fornicateur
fornication forniquer génital génitalité gode godemiché godemichet gonocoque gonorrhée herpès hymen incontinence
incontinent inséminateur insémination inséminer lubricité maquerellage maquerelle masturbateur masturbation
masturbatoire masturber menstruation menstruel menstrues MST nécrophile nécrophilie nibard nichon nympho nymphomane
nymphomanie onanisme onaniste orgasme orgasmique partouzard partouze partouzer partouzeur pédéraste pédérastie
pédérastique peep-show pénien pénis périnée phallique phallus porno pornographe pornographie pornographique préservatif
prostitué prostituer prostitution proxénète proxénétisme pubien pucelage quéquette rectal rectum roustons sado-maso
sadomasochisme sadomasochiste scrotal scrotum sex-shop sex-toy sodomie sodomiser sodomite spermatique spermatozoïde
sperme spermicide spermogramme striptease strip-tease stripteaseur strip-teaseur suppositoire syphilis syphilitique
tapin tapiner tapineur testiculaire testicule tétin téton tringler triolisme troncher urétral urètre vagin vaginal
vaginisme vaginite vasectomie vénérien vérolé vérole vibromasseur voyeurisme vulvaire vulve zigouigoui zigounette zizi
zoophile zoophilie

caca caguer compisser conchier coprophage coprophagie coprophile coprophilie défécation déféquer dégueulis diarrhée
diarrhéique étron excrément excrémenteux excrémentiel fécal fèces flatulence flatulent flatuosité hémorroïdaire
hémorroïdal hémorroïde laxatif pipi pissat pisse pisse-copie pissement pisser pisseur pisseux pissoir pissotière prout
scatologie scatologique scatophage scatophile urinal urine uriner urineux

amphétamine beuh cannabique cannabis chnouf cocaïne cocaïnisation cocaïnisme cocaïnomane cocaïnomanie dealer dealeur
ecstasy éthéromane éthéromanie fentanyl fumette hasch haschich haschisch héroïnomane héroïnomanie junkie junky kétamine
marie-jeanne marihuana marijuana méthadone méthamphétamine morphinomane morphinomanie narcotrafiquant opiomane opiomanie
overdose polytoxicomane polytoxicomanie schnouf shit sniffer sniffeur surdose toxico toxicodépendance toxicodépendant
toxicomane toxicomaniaque toxicomanie

Al-Qaïda antinazi antisémite antisémitisme Auschwitz avortement avorteur Dachau Daech dénazification dénazifier
djihadisme djihadiste eugénique eugénisme eugéniste fœticide génocidaire génocide gestapiste Gestapo Goebbels Göring
Himmler Hitler hitlérien hitlérisme holocauste inceste incestueux infanticide infibulation islamophobe islamophobie kapo
lynchage lyncher lyncheur nazi nazification nazillon nazisme négationnisme négationniste néo-nazi néonazi néonazisme
pédocriminalité pédocriminel pédophile pédophilie pédophilique pédopornographie pédopornographique pogrom pogrome Shoah
skinhead suicidaire suicide suicidé suicider svastika swastika viol violeur

antiesclavagiste esclavage esclavagisme esclavagiste esclave négrier

asiate beurette cafre canaque enjuiver feuj hermaphrodisme hermaphrodite hottentot juiverie lapon mahométan mahométisme
moukère mouquère peau-rouge polaque pygmée rastaquouère romanichel sang-mêlé transsexualisme transsexualité transsexuel

avorton bec-de-lièvre binoclard cul-de-jatte estropié fion mocheté nabot schizo trisomie trisomique
"""

# Phrases whose parts are innocent, and all that have them.
_FRENCH_PHRASES = """
acte sexuel, agression sexuelle, aller se faire foutre, allez vous faire foutre, avoir la police au cul, avoir la
taupe au guichet, avoir la trique, avoir la tête dans le cul, avoir le feu au cul, avoir un balai dans le cul, baiser
le cul de la Fanny, baron de la drogue, beau cul belle gueule, bien monté, bombe sexuelle, call-girl, camp
d'extermination, camp de concentration, camp de la mort, centre de mise à mort, chambre à gaz, changement de sexe,
changer de sexe, chaude-pisse, copain de baise, copine de baise, coûter la peau du cul, cravate de notaire, croix
gammée, double pénétration, en avoir plein le cul, faire boutique mon cul, faire de la retape, faire la retape, faire
le trottoir, faire minette, faire pleurer le colosse, fausse couche, femme publique, fille de joie, fille publique,
fille à soldats, gang bang, garçon de joie, gaule du matin, grandes lèvres, harcèlement sexuel, hôtel de passe, lécher
le cul, maison close, maison de passe, maison de tolérance, membre viril, mettre fin à ses jours, mon cul, mont de
Vénus, objet sexuel, obsédé sexuel, or nazi, organe sexuel, organes sexuels, partenaire sexuel, partie fine, parties
sexuelles, peau du cul, petit juif, petites lèvres, plaisir solitaire, plan cul, plan à trois, point G, position
sexuelle, poupée gonflable, péril jaune, raie des fesses, rapport sexuel, rapports sexuels, relation sexuelle,
relations sexuelles, salle de shoot, se casser le cul, se donner la mort, se faire mettre, se faire sauter le caisson,
se polir le jonc, se tirer une balle, service trois pièces, serviette hygiénique, sexe oral, solution finale, syndrome
prémenstruel, tailler une pipe, tailler une plume, tampon hygiénique, tirer son coup, tirer un coup, tourisme sexuel,
travail d'Arabe, travailleur du sexe, travailleuse du sexe, tremper son biscuit, trou de balle, trou de cul, trou du
cul, trou du cul du monde, va te faire foutre, vaisseau négrier, vice solitaire, violence conjugale
"""

ENGLISH = frozenset(_ENGLISH.split())
INNOCENT_PARTS = frozenset(_INNOCENT_PARTS.split())
FRENCH = frozenset(_FRENCH.split())
FRENCH_PHRASES = frozenset(" ".join(_FRENCH_PHRASES.split()).split(", "))
