import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';

/** The schemas of Factur-X 1.09, profile EN 16931, as published. */
const folder = join(process.cwd(), 'node_modules/@stackforge-eu/factur-x/schema/en16931');
const readSchema = (part = '') => {
  const fileName = `FACTUR-X_EN16931${part}.xsd`;
  return { fileName, contents: readFileSync(join(folder, fileName), 'utf8') };
};
const imported = ['QualifiedDataType', 'ReusableAggregateBusinessInformationEntity', 'UnqualifiedDataType'];

/** Validates Cross Industry Invoices against the official schemas. @returns the errors */
export async function validateFacturX(documents: readonly string[]): Promise<string[]> {
  const { errors } = await validateXML({
    xml: documents.map((contents, at) => ({ fileName: `document ${at}`, contents })),
    schema: readSchema(),
    preload: imported.map((part) => readSchema(`_${part}_100`)),
  });
  return errors.map(({ rawMessage }) => rawMessage);
}
