import { Badge, type Tone } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import { stateOf } from '@/lib/integrations/list';
import type { ServiceAnswer } from '@/lib/settings/service-answers';

/** The badges of what a configured service last answered. */
export const answerStyles = {
  connected: { tone: 'green', label: 'Connected' },
  failed: { tone: 'red', label: 'Failed' },
  unchecked: { tone: 'grey', label: 'Not checked' },
} as const satisfies Record<string, { tone: Tone; label: string }>;

/** Displays whether a configured service accepted its last call. */
export function AnswerBadge({ answer }: { answer: ServiceAnswer | null }) {
  const { tone, label } = answerStyles[stateOf(answer)];
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}

/** Displays when a service last answered, and what it objected to. */
export function AnswerText({ answer }: { answer: ServiceAnswer | null }) {
  if (!answer) return 'Not checked with these settings yet.';
  return (
    <>
      {answer.ok ? null : <span className="wrap-anywhere block text-red-ink">{answer.message}</span>}
      Checked <TimeAgo at={answer.at} />
    </>
  );
}
