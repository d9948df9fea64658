/**
 * Recognized header names of each field, best match first. Headers are compared in lower case by letters and digits,
 * without bracketed text: "Price ($)" is `price`, "Niche/Category" is `nichecategory`.
 */
export const headerNames = {
  url: [
    ...['url', 'siteurl', 'websiteurl', 'domainurl', 'weburl', 'sitelink', 'websitelink', 'webadresse'],
    ...['website', 'domain', 'domainname', 'rootdomain', 'site', 'webseite', 'internetseite', 'link'],
  ],
  name: [
    ...['name', 'sitename', 'websitename', 'publication', 'publisher', 'title', 'websitetitle', 'sitetitle', 'titel'],
    ...['seitenname', 'website', 'site', 'domain', 'domainname', 'rootdomain', 'webseite'],
  ],
  niche: [
    ...['niche', 'nichecategory', 'categoryniche', 'category', 'categories', 'niches', 'mainniche', 'primaryniche'],
    ...['maincategory', 'topic', 'topics', 'vertical', 'industry', 'kategorie', 'thema', 'themen', 'nische', 'branche'],
  ],
  postType: ['posttype', 'placement', 'placementtype', 'linkplacement', 'typeofpost', 'type'],
  country: ['country', 'countries', 'geo', 'location', 'targetcountry', 'region', 'land'],
  language: ['language', 'lang', 'languages', 'sitelanguage', 'sprache'],
  followType: [
    ...['followtype', 'follow', 'dofollow', 'linktype', 'linkattribute', 'linkattributes', 'dofollownofollow'],
    ...['link', 'links', 'linkart'],
  ],
  dr: ['dr', 'ahrefsdr', 'drahrefs', 'domainrating', 'ahrefsdomainrating'],
  da: ['da', 'mozda', 'damoz', 'domainauthority', 'mozdomainauthority'],
  authorityScore: ['as', 'authorityscore', 'semrushas', 'semrushauthorityscore', 'assemrush'],
  spam: ['spam', 'ss', 'spamscore', 'mozspamscore', 'mozspam', 'mozss', 'spamwert'],
  traffic: [
    ...['traffic', 'organictraffic', 'monthlytraffic', 'ahrefstraffic', 'semrushtraffic', 'ahrefsorganictraffic'],
    ...['semrushorganictraffic', 'monthlyvisits', 'monthlyvisitors', 'visits', 'visitors', 'besucher'],
  ],
  keywordsCount: ['keywords', 'keywordscount', 'organickeywords', 'ahrefskeywords', 'keywordcount', 'rankingkeywords'],
  refDomains: ['refdomains', 'rd', 'referringdomains', 'ahrefsrd', 'ahrefsreferringdomains', 'domainpop'],
  words: ['words', 'wordcount', 'minwords', 'wordlimit', 'contentlength', 'articlelength', 'wortzahl', 'worter'],
  tat: [
    ...['tat', 'turnaround', 'turnaroundtime', 'delivery', 'deliverytime', 'deliverydays', 'lieferzeit'],
    ...['bearbeitungszeit', 'tatdays', 'days', 'turnarounddays'],
  ],
  samplePosts: [
    ...['sampleposts', 'samplepost', 'samplelinks', 'samplelink', 'sampleurls', 'sampleurl', 'sampleguestposts'],
    ...['exampleposts', 'examplepost', 'examplelinks', 'beispiele', 'beispielbeitrage'],
  ],
  rules: ['rules', 'guidelines', 'contentguidelines', 'postingguidelines', 'requirements', 'richtlinien', 'regeln'],
  sellerPrice: [
    ...['baseprice', 'sellerprice', 'yourprice', 'price', 'cost', 'guestpostprice', 'postprice', 'rate'],
    ...['fee', 'gpprice', 'buyingprice', 'netprice', 'preis', 'grundpreis', 'nettopreis'],
  ],
  adminPrice: ['adminprice', 'marginprice'],
  publicPrice: [
    ...['publicprice', 'sellingprice', 'sellprice', 'saleprice', 'salesprice', 'customerprice', 'clientprice'],
    ...['retailprice', 'verkaufspreis'],
  ],
  currency: ['currency', 'pricecurrency', 'publiccurrency', 'wahrung'],
  status: ['status', 'approvalstatus', 'reviewstatus'],
} as const satisfies Record<string, readonly string[]>;

export type ImportField = keyof typeof headerNames;

/** Fields that only staff may set. A seller's file cannot set them. */
export const staffFields: readonly ImportField[] = ['adminPrice', 'publicPrice', 'status'];
