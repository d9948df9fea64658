import { type FieldSpec, Fields, getFormText } from '@/components/form/fields';
import type { FieldErrors } from '@/components/form/use-api-form';
import { listCountries } from '@/lib/taxonomy/name-country';

const methodChoices = ['iban', 'account', 'paypal', 'agreement'] as const;
/** The methods of the form: a bank account has one of two formats. */
export type MethodChoice = (typeof methodChoices)[number];

export const isMethodChoice = (value: string): value is MethodChoice =>
  methodChoices.some((choice) => choice === value);

/**
 * Reads the details of a payout method from the form, as the server validates them.
 * @param prefix the name of the details in the input, as in `MethodFields`
 */
export function readMethod(choice: MethodChoice, data: FormData, prefix = 'method') {
  const text = (name: string) => getFormText(data, `${prefix}.${name}`);
  const optional = (name: string) => text(name).trim() || undefined;
  if (choice === 'paypal') return { kind: 'paypal' as const, email: text('email') };
  if (choice === 'agreement') return { kind: 'agreement' as const, text: text('text') };
  const [street, second] = [text('addressLines.0'), optional('addressLines.1')];
  const holder = {
    kind: 'bank' as const,
    holder: text('holder'),
    addressLines: second ? [street, second] : [street],
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

/** Renders the fields of a kind of payout method, in two columns. */
export function MethodFields({ choice, errors, countryCodes, prefix = 'method' }: MethodFieldsProps) {
  /** @param name the path within the details; with the prefix it is the path of the server's errors */
  const field = (name: string, label: string, more = {}) => ({ name: `${prefix}.${name}`, label, ...more });
  const required = (name: string, label: string, more = {}) => field(name, label, { required: true, ...more });
  const holder: FieldSpec[] = [
    required('holder', 'Account holder', { autoComplete: 'name', maxLength: 70, className: whole }),
    required('addressLines.0', 'Street and number', { autoComplete: 'address-line1', maxLength: 70 }),
    field('addressLines.1', 'Address line 2', { autoComplete: 'address-line2', maxLength: 70 }),
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
