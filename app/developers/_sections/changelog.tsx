import { version } from '../../../package.json';
import { Code } from '../_components/code';
import type { Section } from './section';

/** Changes of the API, newest first. */
const changes: readonly (readonly [when: string, what: readonly string[]])[] = [
  [
    `${version}, not yet released`,
    [
      'The OpenAPI document is public, and describes what the caller may use.',
      'Operations have a tag of their domain, and ids without "Api": getOrders instead of getApiOrders.',
      'Parameters have descriptions.',
    ],
  ],
];

export const changelog: Section = {
  id: 'changelog',
  title: 'Changelog',
  Content: () => (
    <>
      <p>
        New addresses, optional parameters and response fields can be added at any time: ignore fields that you do not
        know. <Code>info.version</Code> of the OpenAPI document is the version of this installation.
      </p>
      {changes.map(([when, what]) => (
        <div key={when}>
          <h3 className="text-ink">{when}</h3>
          <ul className="list-disc pl-5">
            {what.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  ),
};
