'use client';

import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { FileDrop } from '@/components/ui/file-drop';

type LogoFieldProps = {
  /** Of what is stored or was just chosen; null for the drawn mark. */
  shownUrl: string | null;
  error: string | undefined;
  disabled: boolean;
  /** Changes to clear what was chosen. */
  round: number;
  onChoose: (file: File | null) => void;
  onRemove: () => void;
};

export function LogoField({ shownUrl, error, disabled, round, onChoose, onRemove }: LogoFieldProps) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <legend className="mb-1.5 font-medium text-ink text-sm">Logo</legend>
      {shownUrl ? (
        <div className="flex items-center justify-between gap-4 rounded-lg border border-line px-4 py-3">
          <picture className="min-w-0">
            <img src={shownUrl} alt="The logo as it will be shown" className="h-10 max-w-full object-contain" />
          </picture>
          <Button size="sm" disabled={disabled} onClick={onRemove}>
            Remove logo
          </Button>
        </div>
      ) : null}
      <FileDrop
        key={round}
        name="logo"
        prompt={shownUrl ? 'Choose another picture, or drop it here' : 'Choose a picture or drop it here'}
        limits="PNG, JPEG or WebP, up to 256 kB; best with a transparent ground, as it stands on light and on dark"
        accept="image/png,image/jpeg,image/webp"
        aria-label="Logo file"
        aria-invalid={error ? true : undefined}
        disabled={disabled}
        onFile={onChoose}
      />
      {error ? <FieldError>{error}</FieldError> : null}
    </fieldset>
  );
}
