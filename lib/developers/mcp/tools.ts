import type { Method } from '@/lib/platform/openapi/document';
import type { JsonSchema } from '@/lib/platform/openapi/json-schema';
import type { FlagName } from '@/lib/settings/feature-flags';

/** A tool: a route of the API under a name, with what a model must know beyond the route's declaration. */
export type ToolDeclaration = {
  name: string;
  title: string;
  /** The method and path of the route that a call runs. */
  route: `${Method} /api/${string}`;
  /** Added to the summary of the route. */
  about?: string;
  /** The name of the path parameter `id`. */
  idName?: string;
  /** The only fields of the route that are offered; the default is all. */
  only?: readonly string[];
  /** Fields of the route that are not offered. */
  without?: readonly string[];
  /** Query parameters that every call has. */
  fixed?: Readonly<Record<string, string>>;
  /** Fields of the body that every call has unless it gives another value. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The size of a page, for a list. */
  page?: { default: number; max: number };
  /** Replacements in the schemas of fields. */
  fields?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  /** The result has texts that other people wrote: which fields. */
  untrusted?: string;
  /** The call ends something or spends money. */
  isDestructive?: true;
  /** A repeat of the call changes nothing more. */
  isIdempotent?: true;
  /** The call reaches other people or servers. */
  isOpenWorld?: true;
  /** The tool is offered while these flags are on. */
  flag?: FlagName;
};

const room = 'the texts, notes and file names of `entries`';
const brief = '`brief`, `adminComments` and `placement`';
const sellerBrief = '`brief`';
const order: JsonSchema = { type: 'integer', minimum: 1, description: "The order's number." };
const project: JsonSchema = { type: 'string', description: 'The id of the project.' };
const orderFields = { orderId: order };

/** The tools. No other than `place_order` creates orders, and none adds money to the wallet. */
export const tools: readonly ToolDeclaration[] = [
  {
    name: 'search_sites',
    title: 'Search sites',
    route: 'GET /api/guest-posts',
    about:
      'Scores (DR, DA, spam) are from 0 to 100, prices in USD, turnaround (`minTat`, `maxTat`) in days. `q` searches names and addresses. `niche`, `country`, `language` and `postType` must equal the value of a site, e.g. those of list_niches; the first three also accept a list, for sites with any of its values; a list of `measured` is for sites with both. With `projectId`, `linked` says whether a site links to the project already. Sites that the buyer blocks are left out.',
    without: ['ids', 'offset', 'total'],
    fixed: { total: 'capped' },
    page: { default: 20, max: 50 },
    untrusted: 'the names and addresses of sites',
    flag: 'marketplace',
  },
  {
    name: 'get_sites',
    title: 'Get sites',
    route: 'GET /api/guest-posts',
    about: 'Returns the sites with these ids that are on sale.',
    only: ['ids'],
    required: ['ids'],
    fields: {
      ids: { type: 'array', items: { type: 'integer', minimum: 1 }, description: 'At most 100 ids of sites.' },
    },
    untrusted: 'the names and addresses of sites',
    flag: 'marketplace',
  },
  {
    name: 'get_site',
    title: 'Get a site with its options',
    route: 'GET /api/guest-posts/[id]',
    about: 'The ids of its `options` are for `brief.options` of quote_order.',
    idName: 'siteId',
    fields: { siteId: { type: 'integer', minimum: 1, description: 'The id of the site.' } },
    untrusted: 'its name, address, rules and sample posts',
    flag: 'marketplace',
  },
  { name: 'list_niches', title: 'List niches and post types', route: 'GET /api/niches-types' },
  { name: 'list_packages', title: 'List packages', route: 'GET /api/user/packages', flag: 'packages' },
  { name: 'get_balance', title: 'Get the wallet balance', route: 'GET /api/wallet/balance' },
  {
    name: 'list_transactions',
    title: 'List wallet transactions',
    route: 'GET /api/wallet/transactions',
    without: ['offset'],
    page: { default: 25, max: 100 },
    untrusted: 'the notes and addresses of sites',
  },
  {
    name: 'list_projects',
    title: 'List projects',
    route: 'GET /api/user/projects',
    page: { default: 50, max: 100 },
  },
  {
    name: 'create_project',
    title: 'Create a project',
    route: 'POST /api/user/projects',
    about: 'A project is the website that links are ordered for. It costs nothing.',
  },
  {
    name: 'list_orders',
    title: 'List orders',
    route: 'GET /api/orders',
    page: { default: 25, max: 100 },
    untrusted: brief,
  },
  {
    name: 'get_order',
    title: 'Get an order',
    route: 'GET /api/orders/[id]',
    idName: 'orderId',
    fields: orderFields,
    untrusted: brief,
  },
  {
    name: 'get_order_room',
    title: 'Read the timeline and messages of an order',
    route: 'GET /api/orders/[id]/messages',
    idName: 'orderId',
    fields: orderFields,
    untrusted: room,
  },
  {
    name: 'send_order_message',
    title: 'Send a message about an order',
    route: 'POST /api/orders/[id]/messages',
    about: 'The seller or the staff read it. Ask the person before you send one, unless they told you the text.',
    idName: 'orderId',
    fields: orderFields,
    required: ['text'],
    isOpenWorld: true,
  },
  {
    name: 'list_link_checks',
    title: 'List the checks of a link',
    route: 'GET /api/orders/[id]/checks',
    idName: 'orderId',
    fields: orderFields,
    page: { default: 10, max: 100 },
    untrusted: '`evidence`, which is from the page of the publisher',
  },
  {
    name: 'check_link_now',
    title: 'Check a link now',
    route: 'POST /api/orders/[id]/checks',
    about: 'The marketplace fetches the page with the link.',
    idName: 'orderId',
    fields: orderFields,
    untrusted: '`evidence`, which is from the page of the publisher',
    isOpenWorld: true,
  },
  {
    name: 'get_link_report',
    title: 'Get the link report of a project',
    route: 'GET /api/user/projects/[id]/links',
    idName: 'projectId',
    fields: { projectId: project },
    without: ['offset'],
    page: { default: 50, max: 200 },
    untrusted: '`anchor` and `rel`, which are from the pages of the publishers',
  },
  {
    name: 'quote_order',
    title: 'Quote an order (step 1 of buying)',
    route: 'POST /api/quotes',
    about:
      'Nothing is ordered. Show the person every item, the total and the balance, and ask for their consent before place_order. `kind` is `custom` with `siteIds`, or `package` with `packageId` and `quantity`. `brief` applies to all items, `briefs` has exceptions by site id. What a site sells besides the placement is in `options` of get_site: show the person the options that you choose, and their prices. A site whose domain the project has ordered already is refused: tell the person, and send `rejectDuplicates: false` only after they agreed to order it again.',
    defaults: { rejectDuplicates: true },
    fields: {
      rejectDuplicates: {
        type: 'boolean',
        default: true,
        description: 'For `custom`: false orders domains that the project has ordered already.',
      },
      siteIds: { type: 'array', items: { type: 'integer', minimum: 1 }, description: 'For `custom`: 1 to 100 sites.' },
      packageId: { type: 'integer', minimum: 1, description: 'For `package`.' },
      quantity: { type: 'integer', minimum: 1, maximum: 100, description: 'For `package`.' },
    },
    untrusted: 'the addresses of sites',
  },
  {
    name: 'place_order',
    title: 'Place a quoted order (step 2 of buying, spends money)',
    route: 'POST /api/quotes/[id]/place',
    about:
      'Call it only after the person saw the quote and agreed to its total. When it is refused because something changed, request a new quote and ask again. With too little money the error has the address of the page that adds it, which the person opens. Above a limit of the account, the answer has a `request` instead of `orders`: nothing was ordered or paid, and the order waits for the approval of another person; tell the person, and do not order it again.',
    idName: 'quoteId',
    untrusted: brief,
    isDestructive: true,
    isIdempotent: true,
    isOpenWorld: true,
  },
  {
    name: 'list_seller_orders',
    title: 'List offers and orders of the own sites',
    route: 'GET /api/seller/orders',
    without: ['offset'],
    page: { default: 25, max: 100 },
    untrusted: sellerBrief,
  },
  {
    name: 'get_seller_order',
    title: 'Get an order of an own site',
    route: 'GET /api/seller/orders/[id]',
    idName: 'orderId',
    fields: orderFields,
    untrusted: sellerBrief,
  },
  {
    name: 'accept_offer',
    title: 'Accept an offered order',
    route: 'POST /api/seller/orders/[id]/accept',
    about: 'The seller promises to publish it in time.',
    idName: 'orderId',
    fields: orderFields,
    untrusted: sellerBrief,
    isIdempotent: true,
    isOpenWorld: true,
  },
  {
    name: 'decline_offer',
    title: 'Decline an offered order',
    route: 'POST /api/seller/orders/[id]/decline',
    about: 'It cannot be undone. Ask the person first.',
    idName: 'orderId',
    fields: orderFields,
    untrusted: sellerBrief,
    isDestructive: true,
    isIdempotent: true,
    isOpenWorld: true,
  },
  {
    name: 'deliver_order',
    title: 'Deliver an order',
    route: 'POST /api/seller/orders/[id]/deliver',
    idName: 'orderId',
    fields: orderFields,
    untrusted: sellerBrief,
    isOpenWorld: true,
  },
  {
    name: 'report_repair',
    title: 'Report a repaired link',
    route: 'POST /api/seller/orders/[id]/repaired',
    idName: 'orderId',
    fields: orderFields,
    isOpenWorld: true,
  },
  {
    name: 'get_seller_room',
    title: 'Read the timeline and messages of an order of an own site',
    route: 'GET /api/seller/orders/[id]/messages',
    idName: 'orderId',
    fields: orderFields,
    untrusted: room,
  },
  {
    name: 'send_seller_message',
    title: 'Send a message about an order of an own site',
    route: 'POST /api/seller/orders/[id]/messages',
    about: 'The buyer reads it. Ask the person before you send one, unless they told you the text.',
    idName: 'orderId',
    fields: orderFields,
    required: ['text'],
    isOpenWorld: true,
  },
  { name: 'get_earnings', title: 'Get the earnings', route: 'GET /api/seller/earnings' },
  {
    name: 'list_payouts',
    title: 'List payouts',
    route: 'GET /api/seller/payouts',
    without: ['offset'],
    page: { default: 25, max: 100 },
  },
];
