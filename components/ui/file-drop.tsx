'use client';

import { type ComponentProps, type DragEvent, useRef, useState } from 'react';
import { cn } from './cn';
import { formatBytes } from './format';
import { Icon } from './icon';

type FileDropProps = Omit<ComponentProps<'input'>, 'type' | 'multiple' | 'onChange' | 'size' | 'children'> & {
  /** "Choose a CSV file or drop it here". */
  prompt: string;
  /** The limits as text: "CSV, up to 50 MB". */
  limits?: string;
  /** Called with each selected file; null when the selection was removed. */
  onFile?: (file: File | null) => void;
};

/** Selects or drops one file. It wraps a native file input, so that form submits and the keyboard work. */
export function FileDrop({ prompt, limits, onFile, className, disabled, ...rest }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [over, setOver] = useState(false);

  const choose = (chosen: File | null) => {
    setFile(chosen);
    onFile?.(chosen);
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer.files[0];
    if (!dropped || disabled || !input.current) return;
    const transfer = new DataTransfer();
    transfer.items.add(dropped);
    input.current.files = transfer.files;
    choose(dropped);
  };

  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(!disabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        'flex cursor-pointer items-center gap-3 rounded-lg border border-control border-dashed px-4 py-4 text-sm transition-colors focus-within:outline-2 focus-within:outline-accent-ink focus-within:outline-offset-2 hover:bg-sunken',
        over && 'border-accent-ink bg-accent-soft',
        disabled && 'cursor-not-allowed opacity-55',
        className,
      )}
    >
      <Icon name="file-up" className="size-5 text-subtle" />
      <span className="min-w-0 flex-1">
        <span className={cn('block font-medium text-ink', file && 'truncate')}>{file ? file.name : prompt}</span>
        <span className="block text-muted text-xs">{file ? formatBytes(file.size) : limits}</span>
      </span>
      {file ? <span className="text-accent-ink">Change</span> : null}
      <input
        {...rest}
        ref={input}
        type="file"
        disabled={disabled}
        onChange={(event) => choose(event.target.files?.[0] ?? null)}
        className="sr-only"
      />
    </label>
  );
}
