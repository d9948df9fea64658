import { Code } from '@/app/developers/_components/code';
import { CodeBlock } from '@/app/developers/_components/code-block';
import type { Section } from './section';

export const client: Section = {
  id: 'client',
  title: 'Typed client',
  Content: ({ origin }) => (
    <>
      <p>
        The OpenAPI document works with the generators of most languages. For TypeScript, the source code of this
        installation has a command that writes a client with the types of every request and response:
      </p>
      <CodeBlock
        label="the command for the client"
        text={`npm run client:generate -- --from ${origin}/api/openapi.json --out ../my-program/linkmarket`}
      />
      <p>
        The client needs <Code>openapi-fetch</Code> in your program:
      </p>
      <CodeBlock
        label="a program with the client"
        text={`import { createLinkMarketClient } from './linkmarket/client';

const linkmarket = createLinkMarketClient({ baseUrl: '${origin}', token: '...' });
const { data, error } = await linkmarket.GET('/api/wallet/balance');
if (error) throw new Error(error.error);
console.log(data);`}
      />
    </>
  ),
};
