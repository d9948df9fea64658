import { getFormText, SelectField, TextareaField, TextField } from '@/components/form/fields';
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

/** Returns the name and the error of a field. */
type FieldProps = (name: keyof typeof names) => { name: string; error: string | undefined };
type MethodFieldsProps = {
  choice: MethodChoice;
  /** The errors of the form, by the paths of the input. */
  errors: FieldErrors;
  /** ISO codes, separated by spaces. */
  countryCodes: string;
  /** The name of the details in the input. */
  prefix?: string;
};

/** The fields of a kind of payout method, in two columns. */
export function MethodFields({ choice, errors, countryCodes, prefix = 'method' }: MethodFieldsProps) {
  const field: FieldProps = (name) => {
    const path = `${prefix}.${names[name]}`;
    return { name: path, error: errors[path] };
  };
  if (choice === 'paypal')
    return (
      <TextField
        {...field('email')}
        label="Email address of the PayPal account"
        required
        type="email"
        autoComplete="off"
        className="col-span-full"
      />
    );
  if (choice === 'agreement')
    return (
      <TextareaField
        {...field('text')}
        label="How you are paid"
        required
        rows={4}
        maxLength={500}
        hint="What you agreed with us, e.g. the wallet or the service that we use."
        className="col-span-full"
      />
    );
  return (
    <>
      {choice === 'iban' ? <IbanFields field={field} /> : <UsAccountFields field={field} />}
      <HolderFields field={field} countryCodes={countryCodes} defaultCountry={choice === 'account' ? 'US' : ''} />
    </>
  );
}

function IbanFields({ field }: { field: FieldProps }) {
  return (
    <>
      <TextField
        {...field('iban')}
        label="IBAN"
        required
        autoComplete="off"
        spellCheck={false}
        className="col-span-full"
      />
      <TextField
        {...field('bic')}
        label="BIC"
        autoComplete="off"
        spellCheck={false}
        hint="Required for accounts outside the European Economic Area."
        className="col-span-full"
      />
    </>
  );
}

function UsAccountFields({ field }: { field: FieldProps }) {
  return (
    <>
      <TextField {...field('routingNumber')} label="Routing number" required inputMode="numeric" autoComplete="off" />
      <TextField {...field('accountNumber')} label="Account number" required autoComplete="off" />
      <SelectField
        {...field('accountType')}
        label="Account type"
        required
        options={[
          { value: 'checking', label: 'Checking' },
          { value: 'savings', label: 'Savings' },
        ]}
        className="col-span-full"
      />
    </>
  );
}

type HolderFieldsProps = { field: FieldProps; countryCodes: string; defaultCountry: string };

function HolderFields({ field, countryCodes, defaultCountry }: HolderFieldsProps) {
  return (
    <>
      <TextField
        {...field('holder')}
        label="Account holder"
        required
        autoComplete="name"
        maxLength={70}
        className="col-span-full"
      />
      <TextField {...field('street')} label="Street and number" required autoComplete="address-line1" maxLength={70} />
      <TextField {...field('addressLine')} label="Address line 2" autoComplete="address-line2" maxLength={70} />
      <TextField {...field('postalCode')} label="Postal code" autoComplete="postal-code" maxLength={16} />
      <TextField {...field('town')} label="Town" required autoComplete="address-level2" maxLength={35} />
      <SelectField
        {...field('country')}
        label="Country"
        required
        autoComplete="country"
        placeholder="Choose a country"
        defaultValue={defaultCountry}
        options={listCountries(countryCodes)}
        className="col-span-full"
      />
    </>
  );
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region' });

const listCountries = (codes: string) =>
  codes
    .split(' ')
    .map((value) => ({ value, label: regionNames.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
