/** The package has no types. */
declare module 'parse-prometheus-text-format' {
  type Family = { name: string; metrics: { labels?: Record<string, string>; value?: string }[] };
  /** Parses Prometheus's text format. @throws Error for a line that is not in it */
  export default function parse(text: string): Family[];
}
