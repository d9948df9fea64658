import parse from 'parse-prometheus-text-format';

/** Metrics as a Prometheus server reads them. */
export type Scraped = {
  /** The names of the series; a histogram has three, such as `…_bucket`. */
  names: Set<string>;
  /** The value of the series with these labels; undefined if there is none. */
  value: (name: string, labels?: Record<string, string>) => number | undefined;
  /** The labels of each series of this name. */
  labels: (name: string) => Record<string, string>[];
};

export function readMetrics(text: string): Scraped {
  // The parser joins the histograms of one name, whatever their labels. As untyped series they stay apart.
  const families = parse(text.replace(/^# TYPE \S+ histogram$/gm, ''));
  const samplesOf = (name: string) =>
    families.filter((family) => family.name === name).flatMap(({ metrics }) => metrics);
  return {
    names: new Set(families.flatMap(({ name, metrics }) => (metrics.length > 0 ? name : []))),
    value: (name, labels = {}) => {
      const found = samplesOf(name).find((sample) =>
        Object.entries(labels).every(([label, value]) => sample.labels?.[label] === value),
      );
      return found === undefined ? undefined : Number(found.value);
    },
    labels: (name) => samplesOf(name).map((sample) => sample.labels ?? {}),
  };
}
