import { toAsciiDigits } from '@/lib/platform/parse-number';

/** A day in minutes. */
export const dayMinutes = 1_440;

/**
 * Units in minutes, with the words and abbreviations for them; a month has 30 days. A working day counts as a day, as a
 * day of the site's calendar.
 */
const units: readonly (readonly [minutes: number, words: string])[] = [
  [
    1,
    'minute minutes min mins minuten minuto minutos minuti minuut minuty minut мин минут минуты хвилин dakika minuter 分钟 分鐘 분',
  ],
  [
    60,
    `hour hours hr hrs h hs stunde stunden std stdn hora horas heure heures ora ore orelor uur uren u godzina godzinę
    godziny godzin godzinach godz час часа часов часах ч година години годин годину год часове hodina hodinu hodiny
    hodin hod saat saatte timme timmar tim timer tunti tuntia tunnissa tunnin órát órán óra tund tundi valanda valandos valandų val
    stunda stundas sat sata sati ura ure ώρα ώρες ωρών jam giờ tiếng hores ساعة ساعات ساعت שעה שעות घंटा घंटे घंटों ชั่วโมง
    小时 小時 个小时 個小時 時間 时间 시간`,
  ],
  [
    dayMinutes,
    `day days d workday workdays weekday weekdays businessday businessdays bd bds wd wds tag tage tagen tg werktag werktage werktagen
    arbeitstag arbeitstage arbeitstagen kalendertag kalendertage kalendertagen geschäftstag geschäftstage geschäftstagen
    día días jour jours j jrs giorno giorni gg g dia dias dag dagen dagar dage dager dygn døgn etmaal etmalen journée journées wt werkdag werkdagen arbetsdag
    arbetsdagar vardag vardagar arbejdsdag arbejdsdage hverdag hverdage hverdager virkedag virkedager arbeidsdag
    arbeidsdager arkipäivä arkipäivää arkipäivän työpäivä työpäivää päivä päivää päivän päivässä pv vrk vuorokausi vuorokautta vuorokauden doba doby dób dobę dzień dni dniu dnia dniach
    день дня дней дню дни дн д днях сутки суток доба добу доби діб днів дні дзень ден дана дан dan dana dne dnů dny dnech
    deň dní zi zile zilelor nap napok napon napos munkanap munkanapon gün günü günde günlük päev päeva päevad tööpäev tööpäeva
    diena dienos dienų dienas dienu ημέρα ημέρες ημερών μέρα μέρες εργάσιμη εργάσιμες dies hari ngày يوم أيام يوما روز יום
    ימים ימי दिन दिनों दिवस วัน 天 日 工作日 自然日 个自然日 營業天 个工作日 個工作日 工作天 个工作天 個工作天 日間 営業日 營業日 個營業日 营业日 个营业日 일 일간 영업일 근무일`,
  ],
  [
    7 * dayMinutes,
    `week weeks wk wks w woche wochen wo semana semanas sem sems semaine semaines settimana settimane sett weken tydzień tygodnie
    tygodni tygodniach tygodnia tyg неделя неделю недели недель неделях нед тиждень тижні тижнів тижня тиж седмица
    седмици tjedan tjedna tjedana týden týdny týdnů týdne týdnech týždeň týždne týždňov teden tedna tednov nedelja
    nedelje недеља недеље săptămână săptămâna săptămâni hét hetet héten hafta haftada haftalık vecka veckor uge uger uke uker viikko
    viikkoa viikon viikossa vk nädal nädalat savaitė savaites savaičių nedēļa nedēļas εβδομάδα εβδομάδες εβδομάδων
    setmana setmanes minggu pekan tuần أسبوع أسابيع أسبوعا هفته שבוע שבועות सप्ताह हफ्ता हफ्ते สัปดาห์ 周 週 星期 个星期 個星期 周间
    週間 주 주일 주간`,
  ],
  [14 * dayMinutes, 'fortnight fortnights'],
  [15 * dayMinutes, 'quincena quincenas quinzaine quinzena quinzenas'],
  [
    30 * dayMinutes,
    `month months mo mos mth mths monat monate monaten mes meses mois mese mesi mês maand maanden miesiąc miesiące
    miesięcy mies месяц месяца месяцев мес місяць місяці місяців місяця міс месец месеца месеци mjesec mjeseca mjeseci
    mesec meseca meseci měsíc měsíce měsíců mesiac mesiace mesiacov lună luna luni hónap hónapos ay månad månader måned
    måneder kuukausi kuukautta kk kuu kuud mėnuo mėnesiai mėnesį mēnesis mēneši μήνας μήνες μήνα bulan tháng شهر أشهر
    شهور ماه חודש חודשים महीना महीने เดือน 个月 個月 ヶ月 か月 カ月 ヵ月 ヶ月間 か月間 개월 달`,
  ],
  [
    365 * dayMinutes,
    'year years yr yrs jahr jahre año años an ans année anno anni ano anos jaar rok lata lat год года лет 년',
  ],
];

/** Words for a unit and its number in one, in minutes: "next day", and the dual of Arabic and Hebrew. */
const phrases: readonly (readonly [minutes: number, words: string])[] = [
  [
    dayMinutes,
    `same day|sameday|next day|nextday|next business day|next working day|today|tomorrow|overnight|mismo día|día siguiente|hoy|mesmo dia|dia seguinte|hoje|
    selben tag|gleichen tag|nächsten tag|nächster tag|heute|morgen|même jour|jour même|lendemain|aujourdhui|stesso giorno|
    giorno successivo|giorno dopo|oggi|dezelfde dag|zelfde dag|volgende dag|vandaag|tego samego dnia|ten sam dzień|
    następnego dnia|następny dzień|dzisiaj|в тот же день|день в день|сегодня|на следующий день|того ж дня|aynı gün|ertesi gün|
    samma dag|nästa dag|samme dag|neste dag|næste dag|samana päivänä|seuraavana päivänä|tentýž den|stejný den|aceeași zi|
    aznap|αυθημερόν|hari yang sama|trong ngày|نفس اليوم|באותו יום|उसी दिन|当天|當天|当日|即日|次日|翌日|翌営業日|次營業日|당일|익일|하루`,
  ],
  [120, 'ساعتين|ساعتان|שעתיים'],
  // Languages without articles write one of a unit without a number, or with the number behind it.
  [dayMinutes, 'сутки|в течение суток|доба|добу|протягом доби|doba|dobę|יום אחד|يوم واحد'],
  [2 * dayMinutes, 'par de días|par de dias|paio di giorni|يومين|يومان|יומיים|이틀'],
  [3 * dayMinutes, '사흘'],
  [4 * dayMinutes, '나흘'],
  [5 * dayMinutes, '닷새'],
  [
    7 * dayMinutes,
    'tydzień|tygodnia|неделя|неделю|недели|тиждень|тижня|týden|týdne|týždeň|týždňa|שבוע|שבוע אחד|أسبوع|أسبوع واحد|일주일',
  ],
  [10 * dayMinutes, '열흘'],
  [14 * dayMinutes, 'fortnight|par de semanas|paio di settimane|أسبوعين|أسبوعان|שבועיים'],
  [15 * dayMinutes, '보름'],
  [30 * dayMinutes, 'месяц|месяца|місяць|miesiąc|miesiąca|חודש|شهر'],
  [60 * dayMinutes, 'شهرين|شهران|חודשיים'],
];

/** Words for numbers, in the languages that countries are accepted in and some more. */
const numbers: readonly (readonly [value: number, words: string])[] = [
  [0.5, 'half halber halbe halben halbes medio media demi mezzo mezza meio meia halve pół пол половина 半'],
  [
    1,
    `a an one single ein eine einen einem einer eins un una uno une um uma een één jeden jedna jedną jedno jednego один одна
    одну одного bir en ett et yksi jedan jednu o egy ένας μία μια ένα satu một אחד אחת एक 一 한`,
  ],
  [
    2,
    'two couple zwei zwo dos deux due dois duas twee dwa dwie dwóch два две двух дві двох iki två kaksi dvě dva dve două két δύο dua hai दो 二 两 兩 두',
  ],
  [
    3,
    'three drei tres trois tre três drie trzy trzech три трёх трьох üç kolme tři tri trei három τρεις τρία tiga ba तीन 三 세',
  ],
  [
    4,
    'four vier cuatro quatre quattro quatro cztery czterech четыре четырёх чотири dört fyra fire neljä čtyři štyri četiri patru négy empat bốn चार 四 네',
  ],
  [
    5,
    'five fünf fuenf cinco cinq cinque vijf pięć pięciu пять пяти beş fem viisi pět pet cinci öt πέντε lima năm पांच 五 다섯',
  ],
  [6, 'six sechs seis sei zes sześć sześciu шесть шести шість altı sex seks kuusi šest șase έξι enam छह 六 여섯'],
  [
    7,
    'seven sieben siete sept sette sete zeven siedem siedmiu семь семи сім yedi sju syv sedm sedem șapte επτά tujuh bảy सात 七 일곱',
  ],
  [
    8,
    'eight acht ocho huit otto oito osiem ośmiu восемь восьми вісім sekiz åtta otte osm opt nyolc οκτώ tám आठ 八 여덟',
  ],
  [
    9,
    'nine neun nueve neuf nove negen dziewięć dziewięciu девять девяти dokuz nio devět nouă kilenc εννέα chín नौ 九 아홉',
  ],
  [10, 'ten zehn diez dix dieci dez tien dziesięć dziesięciu десять десяти tio deset zece tíz δέκα mười दस 十 열'],
  [11, 'eleven elf once onze undici elva elleve jedenaście одиннадцать'],
  [12, 'twelve zwölf zwoelf doce douze dodici doze twaalf dwanaście двенадцать'],
  [13, 'thirteen dreizehn trece treize tredici treze dertien'],
  [14, 'fourteen vierzehn catorce quatorze quattordici veertien czternaście четырнадцать'],
  [15, 'fifteen fünfzehn fuenfzehn quince quinze quindici vijftien piętnaście пятнадцать'],
  [16, 'sixteen sechzehn dieciséis seize sedici dezesseis zestien'],
  [18, 'eighteen achtzehn dieciocho diciotto dezoito achttien'],
  [20, 'twenty zwanzig veinte vingt venti vinte twintig dwadzieścia двадцать'],
  [21, 'einundzwanzig veintiún veintiuno ventuno eenentwintig'],
  [24, 'vierundzwanzig veinticuatro ventiquattro vierentwintig'],
  [30, 'thirty dreißig dreissig treinta trente trenta trinta dertig trzydzieści тридцать'],
  [40, 'forty vierzig cuarenta quarante quaranta quarenta veertig czterdzieści сорок'],
  [48, 'achtundvierzig quarantotto'],
  [60, 'sixty sechzig sesenta soixante sessanta sessenta zestig sześćdziesiąt шестьдесят'],
  [70, 'seventy siebzig setenta settanta zeventig siedemdziesiąt семьдесят'],
  [90, 'ninety neunzig noventa novanta negentig dziewięćdziesiąt девяносто'],
];

/** Words between the ends of a range, or between two numbers of which either can be. */
const connectors = `to or till until bis oder a al o hasta y u à au jusqu ou et e ed fino até tot en do lub albo i до или и по
  od або та ila veya ile till eller til tai až nebo alebo sau până la vagy έως ή to sampai hingga atau đến tới hoặc إلى الى او أو تا
  עד או से या ถึง 到 至 或 から に 에서 또는`;

/** Words that join two numbers to a sum where the second has a smaller unit: "1 day and 12 hours". */
const additions = 'and und y et e en i и та ve och og ja a și és και dan và و 和 と';

/** Words between a number and its unit. */
const qualifiers = `business bus biz bussiness buisness bussines busines calender ish х ти го ch tu miu working work calendar full whole of de volle ganze рабочих раб роб рабочие рабочий рабочего
  календарных робочих робочі работни roboczych robocze roboczy kalendarzowych pracovních pracovní pracovných pracovné
  radnih radna delovnih iş takvim εργάσιμες εργάσιμων darbo darba कार्य कार्यदिवस 个 個 足`;

/** Words beside a bare number, which is then a number of days. */
const fillers = `tat turnaround time approx approximately about around circa ca c max maximum maximal up within in under less than at
  most from by usually more etwa ungefähr zu innerhalb von höchstens rund spätestens aprox unos máximo menos environ sous dans
  entro massimo em cerca ongeveer binnen maximaal około w ciągu maks от около в течение`;

/** Folds a text for comparison: lower case, without accents, digits of any script as 0 to 9. */
export function foldText(text: string): string {
  const folded = text
    .replace(/(?<=\d)\s+(?=[½¼¾])/g, '')
    .replace(/(?<=\d)\s+1\/2(?!\d)/g, '.5')
    .replace(/[½¼¾]/g, (sign) => ({ '½': '.5', '¼': '.25', '¾': '.75' })[sign] ?? sign)
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u0640\u064b-\u065f\u0670'’ʼ\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss');
  return toAsciiDigits(folded);
}

const split = (words: string) => words.split(/\s+/).filter((word) => word !== '');
const toMap = (entries: readonly (readonly [value: number, words: string])[]): ReadonlyMap<string, number> =>
  new Map(entries.flatMap(([value, words]) => split(words).map((word) => [foldText(word), value] as const)));
const toSet = (words: string): ReadonlySet<string> => new Set(split(words).map(foldText));

export const unitWords = toMap(units);
export const numberWords = toMap(numbers);
export const connectorWords = toSet(connectors);
export const additionWords = toSet(additions);
export const qualifierWords = toSet(qualifiers);
export const fillerWords = toSet(fillers);
export const phraseWords: ReadonlyMap<string, number> = new Map(
  phrases.flatMap(([minutes, words]) => words.split('|').map((words) => [foldText(words.trim()), minutes] as const)),
);
