/** The package has no types. */
declare module 'html-encoding-sniffer' {
  /**
   * Detects an encoding as the HTML standard does: byte order mark, then the label of the Content-Type, then the first
   * 1,024 bytes of the document.
   * @returns the encoding's name in the Encoding standard
   */
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: { xml?: boolean; transportLayerEncodingLabel?: string; defaultEncoding?: string },
  ): string;
}
