/*
 * Texts of pages that stand in place of the one that was asked for, in the form of `normalizeNotice`. A text counts as a
 * whole: "Access denied" is such a title, "Access denied: how to fix it" is that of an article.
 */

/** Returns a text in lower case, with plain quotes, and without apologies and the punctuation around it. */
export const normalizeNotice = (text: string): string =>
  text
    .slice(0, 400)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s.!¡…]+|[\s.!?…:,]+$/g, '')
    .replace(/^((we'?re )?sorry|oops|whoops)[,.!:]* (but )?/, '');

/** Titles of protection services. */
export const serviceTitles = compile(
  ...['just a moment', 'attention required', 'client challenge', 'request rejected', 'ddos-guard'],
  ...[
    'einen moment',
    'einen moment bitte',
    'nur einen moment',
    'un momento',
    'un instant',
    'één moment',
    'один момент',
  ],
  ...['bir dakika lütfen', '请稍候', 'しばらくお待ちください', '잠시만 기다리십시오'],
  ...['sucuri website firewall', 'robot challenge screen', 'vercel security checkpoint', 'pardon our interruption'],
  ...['protected by chaitin safeline waf', 'waiting for the redirectiron', 'bitninja', 'shieldsquare captcha'],
  ...['establishing a secure connection', "making sure you're not a bot", 'checking you are not a bot'],
  /^.{0,200} used cloudflare to restrict access$/,
  /^radware (page|block page|captcha page|bot manager captcha)$|^crowdsec (captcha|ban|access forbidden)$/,
  /^(your )?access to this (page|site|service) has been (temporarily )?(denied|limited|blocked)( by the site owner)?$/,
);

/** Titles and headings of checks for humans and of refusals. */
export const wallTitles = compile(
  ...['please wait', 'one moment please', 'one moment, please', 'one more step', 'please stand by', 'verifying'],
  ...['please stand by, while we are checking your browser', 'please wait while your request is being verified'],
  ...['access denied', 'access forbidden', 'access blocked', 'forbidden', '403', '403 forbidden', '403 - forbidden'],
  ...['error 403', 'not acceptable', 'unauthorized', 'blocked', 'blocked by wordfence', 'you are blocked'],
  ...['verify you are human', 'verifying you are human', 'verify that you are human', 'are you human', 'bot or not'],
  ...['are you a human', 'are you a robot', 'are you a bot', 'not a robot', "i'm not a robot", 'prove you are human'],
  ...['captcha', 'recaptcha', 'hcaptcha', 'captcha challenge', 'captcha verification', 'challenge', 'human challenge'],
  ...['challenge validation', 'verification required', 'security check', 'security checkpoint', 'security challenge'],
  ...['security verification', 'firewall', 'web application firewall', 'imunify360', 'imunify360 bot-protection'],
  ...['wordfence', 'stackpath', 'incapsula', 'perimeterx', 'kasada', 'datadome', 'datadome captcha', 'oh noes'],
  ...['javascript required', 'javascript is required', 'javascript disabled', 'javascript is disabled'],
  ...['javascript is not available', 'enable javascript', 'please enable javascript', 'please enable cookies'],
  ...[
    'unauthorized activity has been detected',
    'security check by bitninja.io',
    'redirecting',
    'you are being redirected',
    'checking if the site connection is secure',
    'slow down',
  ],
  ...['anti-crawler protection', 'blacklisted', 'zugriff verweigert', 'zugriff gesperrt', 'sicherheitsüberprüfung'],
  ...['sind sie ein mensch', 'accès refusé', 'accès interdit', 'vérification de sécurité', 'acceso denegado'],
  ...['verificación de seguridad', 'accesso negato', 'acesso negado', 'toegang geweigerd', 'odmowa dostępu'],
  ...['brak dostępu', 'доступ запрещен', 'доступ запрещён', 'доступ ограничен', 'проверка браузера', 'вы не робот'],
  ...['я не робот', 'erişim engellendi', 'přístup odepřen', 'åtkomst nekad', 'hozzáférés megtagadva', 'acces interzis'],
  ...['访问被拒绝', '访问受限', '访问验证', '安全验证', '人机验证', '网站防火墙', 'アクセスが拒否されました'],
  ...['too many requests', '429', '429 too many requests', 'error 429', 'rate limited', 'rate limit exceeded'],
  /^(human|bot|browser|user|robot) (verification|check|detection)$|^(checking|verifying|validating) your (browser|connection)( before accessing .{1,200})?$/,
  /^ddos protection( by [\w.-]{1,40})?$|^request unsuccessful\b.{0,80}$|^error 10\d\d( .{0,60})?$/,
);

/** Titles and headings of pages that a site shows instead of all others. */
export const noticeTitles = compile(
  // Databases.
  ...['database error', 'a database error occurred', 'database connection error', 'db connection error', 'mysql error'],
  ...['sql error', 'database unavailable', 'database offline', 'error establishing a redis connection'],
  ...['fehler beim aufbau einer datenbankverbindung', 'datenbankfehler', 'error de base de datos'],
  ...['erreur lors de la connexion à la base de données', 'erreur de connexion à la base de données'],
  ...['error al establecer una conexión con la base de datos', 'error de conexión con la base de datos'],
  ...['errore nello stabilire una connessione al database', 'errore di connessione al database'],
  ...['erro ao estabelecer uma conexão com o banco de dados', 'erro ao estabelecer uma ligação à base de dados'],
  ...['fout bij het maken van een verbinding met de database', 'fout bij verbinden met de database'],
  ...['błąd podczas łączenia się z bazą danych', 'błąd połączenia z bazą danych'],
  ...['ошибка установки соединения с базой данных', 'ошибка соединения с базой данных', 'ошибка базы данных'],
  ...['veritabanı bağlantısı kurulurken hata oluştu', 'データベース接続確立エラー', '数据库连接错误'],
  ...['建立数据库连接时出错', '建立数据库连接出错', '資料庫連線錯誤', '데이터베이스 연결 오류'],
  // Errors with status 200.
  ...['service unavailable', 'service temporarily unavailable', 'internal server error', 'bad gateway'],
  ...['gateway timeout', 'gateway time-out', 'server error', 'server error (500)', 'the service is unavailable'],
  ...['general error', 'application error', 'runtime error', 'critical error'],
  ...['fatal error', 'an error occurred', 'something went wrong', 'http server error', '508 resource limit is reached'],
  ...[
    'looks like something went wrong',
    'unhandled exception',
    'bandwidth limit exceeded',
    '509 bandwidth limit exceeded',
  ],
  ...['there has been an error processing your request', 'unavailable for legal reasons'],
  /^50[0-4]( -)? (service (temporarily )?unavailable|internal server error|bad gateway|gateway time-?out)$|^50[0-4]( error)?$/,
  /^(http )?error 50[0-4]( .{0,40})?$|^server error in .{1,60} application$|^application error: an? (client|server)-side exception has occurred.{0,120}$/,
  /^wordpress › (error|erreur|fehler|errore|erro|fout|błąd|ошибка|hata)$|^(operational|programming)error at .{0,200}$/,
  // Maintenance and sites that are not open yet.
  /^((this|our|the) )?((web ?)?site|web ?page|page|server|system|store|shop)? ?((is|are) )?((currently|temporarily) )?((down|closed|offline|unavailable) )?((for|under|in|undergoing|due to|performing) )?(some )?((scheduled|planned|routine|temporary) )?(maintenance|construction)( mode| page| break| work| in progress| underway)?$/,
  /^(we'?re|we are) ((currently|temporarily) )?((down|closed|offline|unavailable) )?(for|under|in|undergoing|due to|performing) (some )?((scheduled|planned|routine|temporary) )?maintenance$/,
  /^((this|our|the) )?((web ?)?site|page|shop) (is )?((currently|temporarily) )?(unavailable|offline|down|closed)$|^(currently|temporarily) (unavailable|offline|down|closed)$/,
  /^((web ?)?site |page )?(is )?(coming|opening|launching) (very )?soon$|^(we'?ll|we will) be (right )?back( soon| shortly)?$/,
  ...['be right back', 'back soon', 'under construction', "we're doing some work on the site"],
  /^((die |diese |unsere )?(website|webseite|seite|internetseite) )?((ist|befindet sich) )?((derzeit|gerade|zurzeit|aktuell|vorübergehend) )?(im|in der|in) (wartung|wartungsmodus|aufbau)$/,
  /^(die |diese )?(website|webseite|seite) wird (gerade |derzeit )?(gewartet|überarbeitet)$|^(website |webseite |seite )?(derzeit|vorübergehend|zurzeit) nicht (verfügbar|erreichbar)$/,
  ...[
    'wartung',
    'wartungsarbeiten',
    'wartungsmodus',
    'wir sind bald zurück',
    'wir sind bald wieder da',
    'demnächst verfügbar',
  ],
  ...['baustelle', 'hier entsteht eine neue internetpräsenz', 'hier entsteht eine neue website'],
  /^((le |ce |notre )?(site( web| internet)?|page) )?(est )?((actuellement|temporairement) )?en (cours de )?(maintenance|construction|travaux)$/,
  ...['maintenance en cours', 'site indisponible', 'momentanément indisponible', 'temporairement indisponible'],
  ...[
    'site temporairement indisponible',
    'nous revenons bientôt',
    'nous sommes bientôt de retour',
    'bientôt disponible',
  ],
  /^((el |este |nuestro )?(sitio( web)?|web)|(la |esta )?página( web)?)? ?((está|estamos|se encuentra) )?(actualmente )?en (mantenimiento|construcción)$/,
  ...['mantenimiento', 'mantenimiento programado', 'modo mantenimiento', 'modo de mantenimiento', 'próximamente'],
  ...['volvemos pronto', 'volvemos enseguida', 'volveremos pronto'],
  /^((il |questo |nostro )?sito( web)? |pagina )?(è |siamo )?(attualmente )?in (fase di )?(manutenzione|costruzione|allestimento)$/,
  ...[
    'manutenzione',
    'manutenzione in corso',
    'manutenzione programmata',
    'torniamo presto',
    'torniamo subito',
    'prossimamente',
  ],
  /^((o |este |nosso )?site |página )?((está|estamos) )?(temporariamente )?em (manutenção|construção)$/,
  ...['manutenção', 'manutenção programada', 'voltamos em breve', 'voltaremos em breve', 'em breve'],
  /^((de |deze |onze )?(website|site) )?(is )?(tijdelijk |momenteel )?in onderhoud$/,
  ...['onderhoud', 'onderhoudsmodus', 'onderhoudswerkzaamheden', 'we zijn zo terug', 'technische storing'],
  /^(strona|serwis) (jest )?w (trakcie )?(budowie|przebudowie|konserwacji)$/,
  ...['przerwa techniczna', 'prace techniczne', 'prace konserwacyjne', 'tryb konserwacji', 'strona w budowie'],
  /^((наш )?сайт )?(находится |временно )?((закрыт )?на|в) (техническом обслуживании|техническое обслуживание|разработке|реконструкции|ремонт)$/,
  ...['технические работы', 'ведутся технические работы', 'на сайте ведутся технические работы'],
  ...['сайт временно недоступен', 'режим обслуживания', 'скоро открытие'],
  ...['bakım modu', 'bakım çalışması', 'site bakımda', 'sitemiz bakımda', 'yapım aşamasında', 'çok yakında'],
  ...['underhåll', 'underhållsläge', 'webbplatsen är under underhåll', 'údržba', 'údržba webu', 'vedligeholdelse'],
  ...['vedlikehold', 'huoltokatko', 'karbantartás', 'mentenanță', 'συντήρηση', 'bảo trì', 'sedang dalam pemeliharaan'],
  ...[
    'メンテナンス',
    'メンテナンス中',
    'ただいまメンテナンス中です',
    '系统维护',
    '系统维护中',
    '网站维护',
    '网站维护中',
  ],
  ...['网站正在维护中', '网站建设中', '網站維護中', '점검 중', '점검중', '사이트 점검 중입니다'],
  // The age of visitors.
  ...['age verification', 'age check', 'age gate', 'verify your age', 'please verify your age', 'are you of legal age'],
  ...['altersprüfung', 'altersverifikation', "vérification de l'âge", 'verificación de edad', 'verifica età'],
  /^are you (over |at least )?(18|19|20|21)( or (older|over)|\+| years (old|of age)( or (older|over))?)?$/,
  // Accounts, servers without a site, and queues.
  ...[
    'account suspended',
    'this account has been suspended',
    'website suspended',
    'site suspended',
    'hosting suspended',
    'suspended',
    'this site is suspended',
  ],
  ...['website disabled', 'website expired', 'this site has been suspended', 'this website has been suspended'],
  ...['private site', 'site not found', 'suspected phishing', 'suspected phishing site'],
  ...['apache2 ubuntu default page', 'apache2 debian default page', 'it works', 'iis windows', 'iis windows server'],
  ...['default web site page', 'default page', 'web server default page', "web server's default page", 'index of /'],
  /^apache2 (ubuntu|debian) default page:? it works$|^welcome to (nginx|openresty|caddy|apache|centos|tengine)$/,
  /^(http server )?test page( for the .{0,60})?$|^future home of .{1,60}$/,
  ...['waiting room', 'virtual waiting room', 'queue', 'queue-it', 'you are in line', 'you are now in line'],
  ...['you are in the queue', 'you are in a queue', 'waiting room powered by cloudflare'],
);

/** Titles of pages that ask for consent. Their headings occur above articles, too. */
export const consentTitles = compile(
  ...['before you continue', 'consent', 'cookie consent', 'gdpr consent', 'privacy gate', 'cookie wall'],
  ...['privacy choices', 'your privacy choices', 'privacy settings', 'cookie settings', 'we value your privacy'],
  /^before you continue to (google|youtube)( .{1,20})?$/,
);

/** Sentences of such pages; what follows is another one. */
export const noticeSentences = compile(
  ...['briefly unavailable for scheduled maintenance', 'error establishing a database connection'],
  ...['mysql server has gone away', 'lost connection to mysql server', 'too many connections', 'connection failed'],
  ...[
    'error connecting to database',
    'error connecting to the database',
    'the website encountered an unexpected error',
  ],
  ...['this account has been suspended', 'database connection failed', 'database connection error', 'database error'],
  ...[
    'wegen wartungsarbeiten ist diese website kurzzeitig nicht verfügbar',
    'no disponible por mantenimiento programado',
  ],
  ...["momentanément indisponible en raison d'une opération de maintenance"],
  ...['temporaneamente non disponibile per manutenzione programmata', 'на сайте возникла критическая ошибка'],
  ...['es gab einen kritischen fehler auf deiner website', 'auf deiner website ist ein kritischer fehler aufgetreten'],
  ...['il y a eu une erreur critique sur ce site', 'il y a eu une erreur critique sur votre site'],
  ...['ha habido un error crítico en esta web', 'si è verificato un errore critico sul tuo sito web'],
  ...['ocorreu um erro crítico neste site', 'er heeft zich een kritieke fout voorgedaan op deze site'],
  /^there has been a critical error on (this|your) web ?site$/,
  /^((the |a )?database )?(could not|can not|cannot|can'?t|unable to|failed to) connect to ((the|our|your|local|remote) )*(my ?sql|maria ?db|postgres(ql)?|db|database)( server)?( through .*)?$/,
  /^((this|our|the) )?((web ?)?site|page) is (currently |temporarily )?(undergoing|down for|closed for|offline for|unavailable due to|under) (scheduled |planned |routine )?maintenance$/,
  /^for (the|any) inconvenience,? (but )?(we are|we're) (currently )?(undergoing|performing|doing) (some )?(scheduled )?maintenance( at the moment)?$/,
  /^(we are|we're) (currently |temporarily )?(undergoing|performing|down for|carrying out|closed for) (some )?(scheduled |planned |routine )?maintenance$/,
);

/** Beginnings of messages that PHP and databases print into a page. */
export const errorMessages =
  /^(php )?(fatal|parse) error: |^(php )?warning: (mysqli?|pdo|pg)_?|^(uncaught )?(pdoexception|mysqli_sql_exception)|^sqlstate\[|^access denied for user '|^table '.{1,80}' (doesn't exist|is marked as crashed)|^(database|mysql|db) (connection )?(error|failed): |^(connect|connection) failed: |^error displaying the error page: |^mysqli?_connect[(][)]: |^(could not|can'?t|cannot|unable to|failed to|error) (connect|connecting) to ((the|our|your) )?(my ?sql|maria ?db|postgres(ql)?|db|database)( server)?: |^could not connect: /;

/** Sentences of checks and refusals; what follows is another one. */
export const wallSentences = compile(
  ...[
    'verify you are human',
    'please verify you are human',
    'please verify you are a human',
    'verifying you are human',
  ],
  ...['please verify that you are human', 'please confirm that you are human', 'please complete the security check'],
  ...['please complete the captcha', 'please solve the captcha', 'please solve this captcha', 'you have been blocked'],
  ...['please enable cookies', 'please enable javascript', 'please enable javascript and cookies', 'please enable js'],
  ...['enable javascript and cookies to continue', 'please enable javascript and cookies to continue'],
  ...['javascript is disabled in your browser', 'you are being rate limited', 'the requested url was rejected'],
  ...['a potentially unsafe operation has been detected in your request to this site', 'request unsuccessful'],
  ...['please wait while your request is being verified', 'this website is using a security service to protect itself'],
  ...['pardon our interruption', "making sure you're not a bot", 'please enable js and disable any ad blocker'],
  ...['bitte bestätigen sie, dass sie ein mensch sind', 'подтвердите, что вы не робот', '请完成安全验证'],
);

/** Beginnings of sentences of checks and refusals. */
export const wallMessages =
  /^((anti-crawler protection|spamfirewall) is checking your browser and ip|checking your browser before accessing|verify you are human by completing|please complete the security check to|your support id is|generated by wordfence|access denied by imunify360|you don'?t have permission to access .{1,200} on this server|(your )?access to this (page|site|service) (has been|is) (denied|limited|blocked)|(we have|our systems have) detected unusual (traffic|activity) from|this website is using a security service to protect itself from)/;

type Texts = { phrases: ReadonlySet<string>; patterns: readonly RegExp[] };

function compile(...texts: (string | RegExp)[]): Texts {
  return {
    phrases: new Set(texts.filter((text) => typeof text === 'string')),
    patterns: texts.filter((text) => text instanceof RegExp),
  };
}

/** Checks whether one of several texts is in a list. */
export const includesNotice = (list: Texts, texts: readonly string[]): boolean =>
  texts.some((text) => list.phrases.has(text) || list.patterns.some((pattern) => pattern.test(text)));
