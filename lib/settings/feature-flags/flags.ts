type Flag = {
  label: string;
  /** What the flag turns off, for the admin. */
  description: string;
  /** The message for users while the flag is off. */
  off: string;
};

/** The feature flags; each is on by default. */
export const flags = {
  registration: {
    label: 'Customer registration',
    description:
      'New customer accounts, on the sign-in page, at /register and by the API. Who has one signs in as ever.',
    off: 'New accounts cannot be created at the moment.',
  },
  'seller-registration': {
    label: 'Seller registration',
    description: 'New seller accounts from the Seller Lounge. Who has one signs in as ever.',
    off: 'New seller accounts cannot be created at the moment.',
  },
  marketplace: {
    label: 'Marketplace',
    description:
      'The list of sites for buyers, its API, and orders for chosen sites. Orders that were placed go on; staff see every site.',
    off: 'The marketplace is closed at the moment. Your orders go on.',
  },
  packages: {
    label: 'Packages',
    description: 'The packages a buyer can choose, and orders for them. Orders that were placed go on.',
    off: 'Packages cannot be ordered at the moment.',
  },
  'topup-stripe': {
    label: 'Top-ups by Stripe',
    description: 'New card payments. What was started is still credited when it is paid.',
    off: 'Stripe top-ups are switched off at the moment. Choose another way to pay.',
  },
  'topup-paypal': {
    label: 'Top-ups by PayPal',
    description: 'New PayPal payments. What was started is still credited when it is paid.',
    off: 'PayPal top-ups are switched off at the moment. Choose another way to pay.',
  },
  'topup-wechat': {
    label: 'Top-ups by WeChat Pay',
    description: 'New WeChat payments. What was started is still credited when it is paid.',
    off: 'WeChat Pay top-ups are switched off at the moment. Choose another way to pay.',
  },
  'site-uploads': {
    label: 'Sites from sellers',
    description: 'New sites from sellers, by form and by CSV. Sites that are listed stay, and can be edited.',
    off: 'New sites cannot be added at the moment.',
  },
  'serp-preview': {
    label: 'SERP preview',
    description: 'The title and description tool for staff, and its suggestions.',
    off: 'The SERP preview is switched off at the moment.',
  },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;

/** `Object.keys` returns string[]; the keys are exactly the names above. */
export const flagNames = Object.keys(flags) as FlagName[];

/** The key of a flag in the settings table. */
export const flagKey = (name: FlagName) => `flag.${name}`;
