import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodeBlock } from './code-block';
import { LanguageTabs } from './language-tabs';

/** The languages of the examples, by the ending of their files. */
const languages = [
  ['curl', 'sh'],
  ['TypeScript', 'mts'],
  ['Python', 'py'],
] as const;

/**
 * An example in all languages. The files are in examples/, and tests/api/examples.test.ts runs them.
 * @param name the name of the files, without the ending
 * @param title what the example does, e.g. "List sites"
 */
export async function Example({ name, title }: { name: string; title: string }) {
  const panels = await Promise.all(
    languages.map(async ([language, ending]) => {
      const text = await readFile(join(process.cwd(), 'examples', `${name}.${ending}`), 'utf8');
      return { language, panel: <CodeBlock label={`${title} in ${language}`} text={text.trimEnd()} /> };
    }),
  );
  return <LanguageTabs title={title} panels={panels} />;
}
