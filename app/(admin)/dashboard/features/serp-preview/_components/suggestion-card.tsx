import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { SuggestedTexts } from './snippet';

type SuggestionCardProps = {
  suggestion: SuggestedTexts;
  onUse: (part: 'title' | 'description') => void;
  onDismiss: () => void;
};

/** Displays suggested texts, to apply or to dismiss. */
export function SuggestionCard({ suggestion, onUse, onDismiss }: SuggestionCardProps) {
  const line = (label: string, part: 'title' | 'description') => (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <h3 className="text-muted text-xs">{label}</h3>
        <p dir="auto" className="wrap-anywhere text-ink text-sm">
          {suggestion[part]}
        </p>
      </div>
      <Button size="sm" onClick={() => onUse(part)} aria-label={`Use the suggested ${part}`}>
        Use
      </Button>
    </div>
  );
  return (
    <Card>
      <CardHeader
        title="Suggestion"
        description={
          suggestion.source === 'model' ? 'By the model of your OpenAI key' : 'By rules, from your own words'
        }
        actions={
          <Button size="sm" variant="ghost" onClick={onDismiss}>
            Dismiss
          </Button>
        }
      />
      <CardBody className="grid gap-3">
        {line('Title', 'title')}
        {line('Description', 'description')}
      </CardBody>
    </Card>
  );
}
