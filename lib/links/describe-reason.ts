import type { LinkStanding } from '@/db/schema/links';
import type { LinkReason } from './judge-page';

const texts: Readonly<Record<LinkReason, string>> = {
  page_missing: 'The page does not exist (404 or 410).',
  other_domain: 'The page leads to another website.',
  link_missing: 'The page has no link to the target.',
  link_hidden: 'The link is on the page, but visitors do not see it.',
  rel_changed: 'The link has another rel attribute than requested.',
  anchor_changed: 'The link has another text than requested.',
  link_without_text: 'The link has no text.',
  page_nofollow: 'The page asks search engines not to follow its links.',
  noindex_meta: 'The page asks search engines not to list it (meta robots).',
  noindex_header: 'The page asks search engines not to list it (X-Robots-Tag).',
  canonical_elsewhere: 'The page names another page as its canonical address.',
  blocked_for_google: 'The website’s robots.txt blocks Google.',
  meta_refresh: 'The page sends its visitors on at once.',
  status: 'The website answered with an error or refused the check.',
  bot_wall: 'The website asks visitors to prove that they are human.',
  notice_page: 'The website shows a notice in place of the page: an error, maintenance, consent or a queue.',
  not_html: 'The address is not a web page.',
  charset: 'The text of the page could not be read.',
  too_complex: 'The page is too large or too complex to be read.',
  needs_script: 'The page shows its content only with scripts.',
  leads_on: 'The page sends its visitors on before a link was found.',
  link_maybe_hidden: 'The link is on the page, but its style may hide it from visitors.',
  refused: 'The address must not be opened by this server.',
  dns: 'The name of the website was not found.',
  connect: 'The website did not accept a connection.',
  proxy: 'The proxy of this server did not connect.',
  tls: 'The certificate of the website is not valid.',
  timeout: 'The website did not answer in time.',
  interrupted: 'The answer ended too early.',
  malformed: 'The answer of the website was not valid.',
  too_many_redirects: 'The page was redirected too often.',
  too_large: 'The page is too large.',
  headers_too_large: 'The headers of the answer are too large.',
  encoding: 'The encoding of the answer is not supported.',
  robots_disallowed: 'The website’s robots.txt does not allow checks.',
  robots_unreachable: 'The website’s robots.txt could not be read.',
  several_links: 'The page has several links to the target; the best one counts.',
};

/** Describes a reason of a check in a sentence. A code of another version is returned as it is. */
export const describeReason = (reason: string): string => new Map(Object.entries(texts)).get(reason) ?? reason;

/** The verdicts, and a lost link, as words. */
export const verdictNames: Record<LinkStanding, string> = {
  ok: 'In order',
  changed: 'Changed',
  broken: 'Not found',
  unknown: 'Unknown',
  lost: 'Lost',
};
