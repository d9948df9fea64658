import { type FieldSpec, Fields, getFormText } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';

const methodChoices = ['iban', 'account', 'paypal', 'agreement'] as const;
/** The methods of the form: a bank account has one of two formats. */
export type MethodChoice = (typeof methodChoices)[number];

export const isMethodChoice = (value: string): value is MethodChoice =>
  methodChoices.some((choice) => choice === value);

/** The names of the fields within the details. With the prefix they are the paths of the server's errors. */
const names = {
  holder: 'holder',
  street: 'addressLines.0',
  addressLine: 'addressLines.1',
  postalCode: 'postalCode',
  town: 'town',
  country: 'country',
  iban: 'iban',
  bic: 'bic',
  accountNumber: 'accountNumber',
  routingNumber: 'routingNumber',
  accountType: 'accountType',
  email: 'email',
  text: 'text',
} as const;

/**
 * Reads the details of a payout method from the form, as the server validates them.
 * @param prefix the name of the details in the input, as in `MethodFields`
 */
export function readMethod(choice: MethodChoice, data: FormData, prefix = 'method') {
  const text = (name: keyof typeof names) => getFormText(data, `${prefix}.${names[name]}`);
  const optional = (name: keyof typeof names) => text(name).trim() || undefined;
  if (choice === 'paypal') return { kind: 'paypal' as const, email: text('email') };
  if (choice === 'agreement') return { kind: 'agreement' as const, text: text('text') };
  const second = optional('addressLine');
  const holder = {
    kind: 'bank' as const,
    holder: text('holder'),
    addressLines: second ? [text('street'), second] : [text('street')],
    postalCode: optional('postalCode'),
    town: text('town'),
    country: text('country'),
  };
  if (choice === 'iban') return { ...holder, format: 'iban' as const, iban: text('iban'), bic: optional('bic') };
  return {
    ...holder,
    format: 'account' as const,
    accountNumber: text('accountNumber'),
    routingNumber: text('routingNumber'),
    accountType: text('accountType') === 'savings' ? ('savings' as const) : ('checking' as const),
  };
}

type MethodFieldsProps = {
  choice: MethodChoice;
  /** The errors of the form, by the paths of the input. */
  errors: FieldErrors;
  /** ISO codes, separated by spaces. */
  countryCodes: string;
  /** The name of the details in the input. */
  prefix?: string;
};

const whole = 'col-span-full';

/** The fields of a kind of payout method, in two columns. */
export function MethodFields({ choice, errors, countryCodes, prefix = 'method' }: MethodFieldsProps) {
  const field = (name: keyof typeof names, label: string, more = {}) => ({
    name: `${prefix}.${names[name]}`,
    label,
    ...more,
  });
  const required = (name: keyof typeof names, label: string, more = {}) =>
    field(name, label, { required: true, ...more });
  const holder: FieldSpec[] = [
    required('holder', 'Account holder', { autoComplete: 'name', maxLength: 70, className: whole }),
    required('street', 'Street and number', { autoComplete: 'address-line1', maxLength: 70 }),
    field('addressLine', 'Address line 2', { autoComplete: 'address-line2', maxLength: 70 }),
    field('postalCode', 'Postal code', { autoComplete: 'postal-code', maxLength: 16 }),
    required('town', 'Town', { autoComplete: 'address-level2', maxLength: 35 }),
    {
      ...required('country', 'Country', { autoComplete: 'country', className: whole }),
      placeholder: 'Choose a country',
      defaultValue: choice === 'account' ? 'US' : '',
      options: listCountries(countryCodes),
    },
  ];
  const fields: Record<MethodChoice, readonly FieldSpec[]> = {
    iban: [
      required('iban', 'IBAN', { spellCheck: false, className: whole }),
      field('bic', 'BIC', {
        spellCheck: false,
        hint: 'Required for accounts outside the European Economic Area.',
        className: whole,
      }),
      ...holder,
    ],
    account: [
      required('routingNumber', 'Routing number', { inputMode: 'numeric' }),
      required('accountNumber', 'Account number'),
      {
        ...required('accountType', 'Account type', { className: whole }),
        options: [
          { value: 'checking', label: 'Checking' },
          { value: 'savings', label: 'Savings' },
        ],
      },
      ...holder,
    ],
    paypal: [required('email', 'Email address of the PayPal account', { type: 'email', className: whole })],
    agreement: [
      {
        ...required('text', 'How you are paid', { maxLength: 500, className: whole }),
        rows: 4,
        hint: 'What you agreed with us, e.g. the wallet or the service that we use.',
      },
    ],
  };
  return <Fields fields={fields[choice]} errors={errors} />;
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' });

const listCountries = (codes: string) =>
  codes
    .split(' ')
    .map((value) => ({ value, label: regionNames.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
