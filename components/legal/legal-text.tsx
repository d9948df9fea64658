import { parseLegalText, splitUrls } from '@/lib/settings/legal/legal';

/** Renders the text of a legal document. All of it is rendered as text; only http and https URLs become links. */
export function LegalText({ text }: { text: string }) {
  const blocks = parseLegalText(text).map((block, index) => ({ ...block, key: `${index} ${block.kind}` }));
  return (
    <div className="wrap-anywhere grid gap-4 text-ink leading-6">
      {blocks.map((block) => {
        if (block.kind === 'heading') {
          const look = block.level === 2 ? 'mt-4 text-ink text-lg' : 'mt-2 text-base text-ink';
          return block.level === 2 ? (
            <h2 key={block.key} className={look}>
              {block.text}
            </h2>
          ) : (
            <h3 key={block.key} className={look}>
              {block.text}
            </h3>
          );
        }
        if (block.kind === 'list') {
          return (
            <ul key={block.key} className="grid list-disc gap-1 pl-5">
              {numbered(block.items).map(({ key, line }) => (
                <li key={key}>
                  <Line text={line} />
                </li>
              ))}
            </ul>
          );
        }
        return (
          <p key={block.key}>
            {numbered(block.lines).map(({ key, line }, index) => (
              <span key={key}>
                {index > 0 ? <br /> : null}
                <Line text={line} />
              </span>
            ))}
          </p>
        );
      })}
    </div>
  );
}

/** Keys for lines, which may repeat. */
const numbered = (lines: readonly string[]) => lines.map((line, index) => ({ key: `${index} ${line}`, line }));

function Line({ text }: { text: string }) {
  return splitUrls(text).map((part, index) => {
    const key = `${index} ${part.text}`;
    if (part.href === null) return <span key={key}>{part.text}</span>;
    return (
      <a key={key} href={part.href} rel="noopener noreferrer nofollow" className="rounded-sm text-accent-ink underline">
        {part.text}
      </a>
    );
  });
}
