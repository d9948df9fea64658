import type { NextResponse } from 'next/server';
import type { z } from 'zod';
import type { ErrorCode } from '../../errors';

/** Bytes of these media types, or in some cases the JSON of a schema. */
export type FileAnswer<J extends z.ZodType = z.ZodNever> = { mediaTypes: readonly string[]; orJson?: J };

/** What an address answers with success: JSON of a schema, a file, or `{ok: true}` when nothing is declared. */
export type DeclaredAnswer = z.ZodType | FileAnswer<z.ZodType> | undefined;

/** What a handler may return for it; a NextResponse only adds headers. */
export type Answered<R extends DeclaredAnswer> = [R] extends [z.ZodType]
  ? z.output<R> | NextResponse<z.output<R>>
  : [R] extends [FileAnswer<infer J>]
    ? Response | z.output<J>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a verb without a result is what `{ok: true}` answers.
      void;

/**
 * What else the reference tells of an address; of it only `status`, `recentAuthentication` and `beforeTwoStep` run with
 * a request.
 */
export type DeclaredFacts = {
  /** One line: what the call does. */
  summary: string;
  /** What a caller has to know beyond that. */
  description?: string;
  /**
   * The caller must have typed the password in this session within the last five minutes
   * (lib/auth/require-recent-authentication.ts); a browser that follows a link is led to the page that asks for it.
   */
  recentAuthentication?: true;
  /** Answers also a person who has to set up two-step sign-in first (lib/auth/two-step-rule.ts). */
  beforeTwoStep?: true;
  /** Of success; 200 unless declared. */
  status?: 200 | 201 | 204;
  /** Answers 304 to a caller whose If-None-Match still holds. */
  isRevalidated?: boolean;
  /** Some calls are led to another address (302). */
  redirects?: boolean;
  /** What the verb may refuse, beside what follows from `access`, params, query and body. */
  errors?: readonly ErrorCode[];
  /** Errors of another shape than `{error}`. */
  errorShape?: z.ZodType;
  /** The form's field that the file of a multipart body stands in, and the most bytes of that file. */
  upload?: { field: string; maxBytes: number };
  /** Headers that it reads, with what they do. */
  requestHeaders?: Readonly<Record<string, string>>;
  /** Headers of success, with what they tell. */
  answerHeaders?: Readonly<Record<string, string>>;
  /** Proves the caller where `access` is 'public': the provider's signature, or the cron's secret. */
  proof?: 'signature' | 'cron secret';
};
