import type { Executor } from '@/db/client';
import type { DocumentSeller } from '@/db/schema/tax';
import { getBranding } from '@/lib/settings/branding/get-branding';
import type { Operator, TaxSwitch } from './contract';
import { readOperator, toDocumentSeller } from './operator';

/** The operator as documents that are issued now copy it, with its rules of tax. */
export type DocumentOperator = { identity: DocumentSeller; operator: Operator; tax: TaxSwitch };

/**
 * Reads the operator for documents: its identity with the VAT id of the country whose rules apply, or before it is set
 * the name and address of the branding.
 */
export async function readDocumentOperator(tx: Executor): Promise<DocumentOperator> {
  const { operator, tax } = await readOperator(tx);
  return { identity: await identifyOperator(tx, operator, tax), operator, tax };
}

/** Returns the operator as `readDocumentOperator` does, from settings that were read. */
export async function identifyOperator(tx: Executor, operator: Operator, tax: TaxSwitch): Promise<DocumentSeller> {
  const identity = toDocumentSeller(operator, tax.enabled ? tax.country : operator.country);
  if (identity) return identity;
  const { siteName, postalAddress, supportEmail } = await getBranding(tx);
  return {
    ...{ name: siteName, street: postalAddress, postcode: '', city: '', region: '', country: '' },
    ...{ vatId: '', taxNumber: '', registration: '' },
    contact: { name: '', phone: '', email: supportEmail },
  };
}

/** Returns the words on a document without tax while tax is off. */
export const getUntaxedText = ({ isSmallBusiness, smallBusinessText, untaxedText }: Operator): string =>
  (isSmallBusiness && smallBusinessText) || untaxedText || 'No tax is charged.';
