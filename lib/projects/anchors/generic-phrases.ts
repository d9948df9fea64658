import { listKeys } from './fold-text';

/** Link texts that name nothing, by language. */
const phrases: Readonly<Record<string, string>> = {
  en: `here, click, click here, click this, click this link, this, this link, this page, this site, this website, this
    article, this post, link, links, the link, web, website, the website, site, page, homepage, home, home page, article, post, blog,
    source, sources, via, reference, read, read more, read on, read this, read the article, read full article, more, more info,
    more information, more details, learn more, find out more, see more, see here, see this, view, view more, view site, visit,
    visit here, visit site, visit website, visit the site, visit the website, visit us, go, go here, go to site, go to website,
    continue, continue reading, check it out, check this out, check out, details, info, information, download, download here,
    get started, start here, try it, try now, buy now, shop now, order now, sign up, contact us, about us, official site,
    official website, the official website, full story, original article, next, previous, open, url, address, now, official`,
  de: `hier, hier klicken, klick, klicken, klicken Sie hier, klick hier, hier lesen, mehr, mehr lesen, mehr erfahren, mehr Infos,
    mehr Informationen, weitere Informationen, weitere Infos, weiter, weiterlesen, lesen, Quelle, Quellen, Link, zum Link, dieser
    Link, diese Seite, Seite, zur Seite, Webseite, Website, zur Website, zur Webseite, Artikel, zum Artikel, Beitrag, Homepage,
    Startseite, Details, jetzt ansehen, ansehen, besuchen, erfahren Sie mehr, jetzt kaufen, herunterladen, über uns, Kontakt`,
  fr: `ici, cliquez ici, cliquer ici, clique ici, par ici, voir plus, voir, voir ici, lire, lire plus, lire la suite, lire
    l'article, en savoir plus, savoir plus, plus, plus d'infos, plus d'informations, plus de détails, source, sources, lien, ce
    lien, le lien, cette page, page, ce site, site, le site, site web, site internet, site officiel, article, cet article,
    accueil, découvrir, découvrez, visiter, visitez, détails, suite, télécharger, contact`,
  es: `aquí, haga clic aquí, haz clic aquí, clic aquí, clic, pulsa aquí, más, ver más, ver, leer, leer más, seguir leyendo, saber
    más, más información, más info, más detalles, fuente, fuentes, enlace, este enlace, el enlace, esta página, página, este
    sitio, sitio, sitio web, página web, web, sitio oficial, artículo, este artículo, inicio, visitar, visita, detalles,
    descubre más, conoce más, descargar, contacto`,
  pt: `aqui, clique aqui, clicar aqui, clique, mais, ver mais, veja mais, ver, ler, ler mais, leia mais, saiba mais, saber mais,
    mais informações, mais detalhes, fonte, fontes, link, este link, o link, esta página, página, este site, site, o site, site
    oficial, artigo, este artigo, início, visitar, visite, detalhes, baixar, descarregar, contacto, contato`,
  it: `qui, clicca qui, cliccare qui, clicca, premi qui, più, vedi, vedi di più, leggi, leggi qui, leggi di più, leggi tutto,
    continua, continua a leggere, scopri, scopri di più, ulteriori informazioni, maggiori informazioni, più informazioni, fonte,
    fonti, link, questo link, il link, questa pagina, pagina, questo sito, sito, il sito, sito web, sito ufficiale, articolo,
    questo articolo, visita, visita il sito, dettagli, scarica, contatti`,
  nl: `hier, klik hier, klik, hier klikken, meer, lees, lees meer, meer lezen, lees verder, verder lezen, meer info, meer
    informatie, meer weten, ontdek meer, bekijk, bekijk meer, bron, bronnen, link, deze link, deze pagina, pagina, deze site,
    site, website, deze website, de website, officiële website, artikel, dit artikel, bezoek, bezoek de website, details`,
  sv: `här, klicka här, klicka, mer, läs, läs mer, läs vidare, mer info, mer information, se mer, källa, länk, denna länk, den här
    sidan, sida, sidan, webbplats, webbplatsen, hemsida, hemsidan, artikel, artikeln, besök, detaljer, upptäck mer`,
  da: `her, klik her, klik, mere, læs, læs mere, læs videre, mere info, mere information, se mere, kilde, link, dette link, denne
    side, side, siden, hjemmeside, hjemmesiden, websted, artikel, artiklen, besøg, detaljer`,
  no: `her, klikk her, klikk, mer, les, les mer, les videre, mer info, mer informasjon, se mer, kilde, lenke, denne lenken, denne
    siden, side, siden, nettside, nettsiden, nettsted, artikkel, artikkelen, besøk, detaljer`,
  fi: `tässä, täällä, tästä, täältä, klikkaa tästä, klikkaa, lisää, lue, lue lisää, lisätietoja, lisätietoa, katso, katso lisää,
    lähde, linkki, tämä linkki, tämä sivu, sivu, sivusto, verkkosivu, verkkosivut, kotisivu, artikkeli, vieraile`,
  pl: `tutaj, tu, kliknij tutaj, kliknij, kliknij tu, więcej, zobacz, zobacz więcej, czytaj, czytaj więcej, czytaj dalej, przeczytaj,
    dowiedz się więcej, więcej informacji, szczegóły, źródło, link, ten link, ta strona, strona, na stronie, strona internetowa,
    witryna, oficjalna strona, artykuł, ten artykuł, odwiedź, sprawdź, sprawdź tutaj`,
  cs: `zde, tady, klikněte zde, klikni zde, klikněte sem, více, více informací, více info, číst, číst více, číst dále, přečíst,
    zjistit více, zjistěte více, zdroj, odkaz, tento odkaz, tato stránka, stránka, web, webové stránky, článek, detaily, navštívit`,
  sk: `tu, kliknite sem, kliknite tu, viac, viac informácií, viac info, čítať, čítať viac, čítať ďalej, zistiť viac, zistite viac,
    zdroj, odkaz, tento odkaz, táto stránka, stránka, web, webová stránka, článok, detaily, navštíviť`,
  hu: `itt, ide, kattintson ide, kattints ide, több, tovább, bővebben, olvass tovább, olvasson tovább, további információ,
    részletek, forrás, link, ez a link, ez az oldal, oldal, weboldal, honlap, cikk`,
  ro: `aici, click aici, apasă aici, mai mult, mai multe, citește, citește mai mult, citește mai multe, află mai mult, află mai
    multe, mai multe informații, detalii, vezi, vezi mai mult, sursa, sursă, link, acest link, această pagină, pagină, site,
    acest site, articol, vizitează`,
  bg: 'тук, кликнете тук, натиснете тук, повече, още, прочети, прочетете, прочети повече, виж, вижте, виж повече, научете повече, източник, линк, връзка, сайт, страница, уебсайт, статия',
  el: 'εδώ, κάντε κλικ εδώ, πατήστε εδώ, περισσότερα, διαβάστε, διαβάστε περισσότερα, δείτε, δείτε περισσότερα, μάθετε περισσότερα, περισσότερες πληροφορίες, πηγή, σύνδεσμος, σελίδα, ιστοσελίδα, ιστότοπος, άρθρο',
  tr: `burada, buraya, buradan, buraya tıklayın, buraya tıkla, tıkla, tıklayın, daha fazla, devamı, devamını oku, oku, daha fazlasını
    oku, daha fazla bilgi, detaylar, detaylı bilgi, incele, kaynak, bağlantı, link, bu link, bu sayfa, sayfa, site, bu site, web
    sitesi, makale, ziyaret et`,
  ru: `здесь, тут, сюда, нажмите здесь, нажмите сюда, кликните здесь, жмите сюда, по ссылке, ссылка, по этой ссылке, эта ссылка,
    подробнее, читать, читать далее, читать дальше, читать больше, далее, больше, узнать больше, подробнее здесь, источник,
    сайт, на сайте, официальный сайт, страница, эта страница, статья, перейти, посмотреть, смотреть`,
  uk: `тут, сюди, натисніть тут, натисніть сюди, за посиланням, посилання, це посилання, детальніше, докладніше, читати, читати
    далі, далі, більше, дізнатися більше, джерело, сайт, на сайті, офіційний сайт, сторінка, стаття, перейти`,
  he: 'כאן, לחץ כאן, לחצו כאן, הקליקו כאן, קרא עוד, קראו עוד, עוד, למידע נוסף, מידע נוסף, פרטים נוספים, מקור, קישור, אתר, האתר, דף, מאמר, לאתר',
  ar: 'هنا, اضغط هنا, انقر هنا, المزيد, اقرأ, اقرأ المزيد, للمزيد, لمعرفة المزيد, معلومات أكثر, التفاصيل, المصدر, مصدر, رابط, الرابط, هذا الرابط, الموقع, موقع, الصفحة, المقال',
  fa: 'اینجا, اینجا کلیک کنید, کلیک کنید, بیشتر, بیشتر بخوانید, ادامه مطلب, اطلاعات بیشتر, منبع, لینک, پیوند, سایت, صفحه, مقاله',
  hi: 'यहाँ, यहां, यहाँ क्लिक करें, यहां क्लिक करें, क्लिक करें, और पढ़ें, पढ़ें, अधिक, अधिक जानें, अधिक जानकारी, स्रोत, लिंक, वेबसाइट, पेज, लेख',
  id: 'di sini, disini, klik di sini, klik disini, klik, baca, baca selengkapnya, selengkapnya, lihat, lihat selengkapnya, info lebih lanjut, pelajari lebih lanjut, sumber, tautan, link, situs, situs ini, situs web, halaman, halaman ini, artikel, artikel ini, kunjungi',
  vi: 'tại đây, ở đây, đây, nhấn vào đây, bấm vào đây, nhấp vào đây, xem, xem thêm, xem chi tiết, đọc, đọc thêm, đọc tiếp, tìm hiểu thêm, chi tiết, nguồn, liên kết, trang này, trang web, website, bài viết',
  th: 'ที่นี่, คลิกที่นี่, คลิก, กดที่นี่, อ่านต่อ, อ่านเพิ่มเติม, เพิ่มเติม, ดูเพิ่มเติม, รายละเอียด, รายละเอียดเพิ่มเติม, ข้อมูลเพิ่มเติม, แหล่งที่มา, ที่มา, ลิงก์, เว็บไซต์, หน้านี้, บทความ',
  ja: 'こちら, こちらから, こちらをクリック, ここ, ここをクリック, クリック, 詳細, 詳しくはこちら, 続きを読む, もっと見る, もっと読む, 詳細はこちら, 詳しく見る, 出典, 引用元, 参照, リンク, サイト, 公式サイト, ホームページ, ページ, 記事',
  zh: '这里, 點擊這裡, 這裡, 点击这里, 点击此处, 點擊此處, 点这里, 此处, 更多, 查看更多, 查看, 阅读更多, 閱讀更多, 阅读全文, 閱讀全文, 了解更多, 瞭解更多, 更多信息, 更多資訊, 详情, 詳情, 来源, 來源, 链接, 鏈接, 連結, 网站, 網站, 官网, 官網, 网页, 網頁, 文章, 原文',
  ko: '여기, 여기를 클릭, 여기를 클릭하세요, 클릭, 더보기, 더 보기, 더 읽기, 자세히, 자세히 보기, 자세히 알아보기, 출처, 링크, 사이트, 홈페이지, 웹사이트, 페이지, 기사, 바로가기',
};

/** Words that say nothing about the subject, by language. They neither make a text partial nor keep it from being a brand. */
const stopWords = `
  a an and are as at by for from in into is it of on or our s that the their this to us we with you your
  am an auf aus bei das dem den der des die ein eine einem einen einer für im in ist mit oder und vom von zu zum zur
  au aux avec ce ces d dans de des du en et l la le les ou par pour qu que sur un une
  al con como del el en es los las lo o para por sin su una uno y
  ao aos as com da das do dos e em na nas no nos os ou pela pelo um uma
  agli ai alla alle che dai dal dalla degli dei della delle di gli i il nei nel nella per sul sulla tra
  een en het naar of op te van voor door met
  och att av för med på som den det ett og til til fra i af
  i na w z ze do od dla się oraz a se pro pri za v o u s k
  az és egy
  și cu din pe la de
  ve ile bir için bu
  и в на с со для от до по из к о у за или не
  і й та у в на з із для від до по
  και το τα η ο οι του της των για με σε από
  ה של את על עם
  و في من على إلى عن
  का की के में से और पर है
  dan di ke yang untuk dari
  và của cho với ở các
  的 了 和 与 與 在 是 之
  の は を に が で と も へ や
  และ ที่ ของ ใน การ เป็น ให้
`;

/** The keys of the phrases. */
export const genericKeys: ReadonlySet<string> = new Set(
  Object.values(phrases)
    .flatMap((list) => list.split(/[,،]/))
    .flatMap(listKeys),
);

/** The keys of the stop words. */
export const stopKeys: ReadonlySet<string> = new Set(stopWords.split(/\s+/).flatMap(listKeys));
