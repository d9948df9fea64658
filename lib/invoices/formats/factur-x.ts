import type { InvoiceModel } from '@/lib/invoices/model';
import type { PdfArchive } from '@/lib/platform/pdf/document';
import { writeCii } from './cii';

/** The name that the specification requires. */
const fileName = 'factur-x.xml';
const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** The values of the extension schema, with what each is. */
const properties = {
  DocumentType: { value: 'INVOICE', description: 'The type of the hybrid document' },
  DocumentFileName: { value: fileName, description: 'The name of the embedded XML document' },
  Version: { value: '1.0', description: 'The version of the standard applying to the embedded XML document' },
  ConformanceLevel: { value: 'EN 16931', description: 'The conformance level of the embedded XML document' },
};

/**
 * Returns what makes the PDF of a document a hybrid one, Factur-X 1.0 and ZUGFeRD 2, profile EN 16931: the document as a
 * Cross Industry Invoice, and the metadata by which programs find it. PDF/A requires that the metadata describes its own
 * schema (ISO 19005-3, 6.6.2.3).
 */
export const toFacturX = (model: InvoiceModel): PdfArchive => ({
  attachment: {
    name: fileName,
    mediaType: 'text/xml',
    description: 'The invoice as a Cross Industry Invoice',
    bytes: new TextEncoder().encode(writeCii(model)),
  },
  metadata: `<rdf:Description rdf:about="" xmlns:fx="${namespace}">${Object.entries(properties)
    .map(([name, { value }]) => `<fx:${name}>${value}</fx:${name}>`)
    .join('')}</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
  xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
  <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>fx</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq>${Object.entries(properties)
      .map(([name, { description }]) => describeProperty(name, description))
      .join('')}</rdf:Seq></pdfaSchema:property>
  </rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`,
});

const describeProperty = (name: string, description: string): string => `
      <rdf:li rdf:parseType="Resource">
        <pdfaProperty:name>${name}</pdfaProperty:name>
        <pdfaProperty:valueType>Text</pdfaProperty:valueType>
        <pdfaProperty:category>external</pdfaProperty:category>
        <pdfaProperty:description>${description}</pdfaProperty:description>
      </rdf:li>`;
