import type { SerpDevice } from '@/lib/serp/limits';
import { getBrand, getHost } from '@/lib/serp/words';
import styles from './result-card.module.css';
import { splitByWords } from './split-by-words';

type ResultCardProps = {
  device: SerpDevice;
  domain: string;
  slug: string;
  /** Both as far as the device shows them. */
  title: string;
  description: string;
  /** Searched words, which the description sets off. */
  intent: string;
};

/** The page as a search result; a live picture of the fields beside it. */
export function ResultCard({ device, domain, slug, title, description, intent }: ResultCardProps) {
  const host = getHost(domain) || 'example.com';
  const site = getBrand(host);
  const trail = [host, ...slug.split(/[/?#]+/).filter((part) => part.trim() !== '')].join(' › ');
  return (
    <article aria-label={`Search result on ${device}`} className={styles.card}>
      <div className={styles[device]}>
        <div className={styles.source}>
          <span aria-hidden="true" className={styles.icon}>
            {site.charAt(0).toUpperCase()}
          </span>
          <span className="min-w-0">
            <span className={styles.site}>{site}</span>
            <span className={styles.path}>{trail}</span>
          </span>
        </div>
        <h3 dir="auto" className={styles.title}>
          {title || 'The title of your page'}
        </h3>
        <p dir="auto" className={styles.text}>
          <Highlighted text={description || 'The description of your page stands here.'} words={intent} />
        </p>
      </div>
    </article>
  );
}

/** A text in which the searched words are marked, as search engines set them off. */
function Highlighted({ text, words }: { text: string; words: string }) {
  const parts = [...splitByWords(text, words).entries()];
  return parts.map(([at, part]) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}
