import type { BillingIdentity, DocumentSeller } from '@/db/schema/tax';
import type { InvoiceParty } from './model';

/** Returns the operator of a document as a party. */
export const operatorParty = (seller: DocumentSeller): InvoiceParty => ({ ...seller, email: seller.contact.email });

const noContact = { name: '', phone: '', email: '' };

/** Returns the buyer of a document as a party: the company, or the person. */
export function buyerParty(buyer: BillingIdentity): InvoiceParty {
  const { name, company, street, postcode, city, region, country, vatId, email } = buyer;
  return {
    ...{ name: company || name || email, street, postcode, city, region, country, vatId, email },
    ...{ taxNumber: '', registration: '' },
    contact: company ? { ...noContact, name } : noContact,
  };
}

/** Returns the numbers by which tax offices and registers know a party, each with its name. */
export const listIds = ({
  vatId,
  taxNumber,
  registration,
}: Pick<InvoiceParty, 'vatId' | 'taxNumber' | 'registration'>): string[] =>
  [
    vatId && `VAT id ${vatId}`,
    taxNumber && `Tax number ${taxNumber}`,
    registration && `Registration ${registration}`,
  ].filter(Boolean);
