import type { SerpDevice } from '@/lib/serp/limits';
import { getBrand, getHost } from '@/lib/serp/words';
import styles from './result-card.module.css';

type ResultCardProps = {
  device: SerpDevice;
  domain: string;
  slug: string;
  /** Both are trimmed to the device's limit. */
  title: string;
  description: string;
  /** The search terms to highlight in the description. */
  intent: string;
};

/** Previews the page as a search result. */
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
          <Highlighted text={description || 'The description of your page appears here.'} words={intent} />
        </p>
      </div>
    </article>
  );
}

/** Highlights the search terms in a text, as search engines do. */
function Highlighted({ text, words }: { text: string; words: string }) {
  const parts = [...splitByWords(text, words).entries()];
  return parts.map(([at, part]) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part));
}

/** Splits a text at the search terms, case-insensitively. Elements with an odd index are search terms. */
export function splitByWords(text: string, words: string): string[] {
  const requested = words.split(/\s+/).filter((word) => word !== '');
  if (requested.length === 0) return [text];
  // split() includes the text that a capturing group matches.
  return text.split(new RegExp(`(${requested.map(wholeWord).join('|')})`, 'giu'));
}

/** Returns a pattern that matches whole words only. Scripts without spaces between words match anywhere. */
function wholeWord(word: string): string {
  const literal = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
  return isUnspaced ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`;
}
