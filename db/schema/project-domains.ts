import { sql } from 'drizzle-orm';
import { bigint, boolean, check, date, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core';
import { createdAt, identityColumn, timestamptz } from '@/db/columns';
import { accounts } from './accounts';
import { projects } from './projects';

/** The tools whose exports are read; `list` is a plain list of domains. */
export const linkSources = ['gsc', 'ahrefs', 'semrush', 'majestic', 'moz', 'list'] as const;
export type LinkSource = (typeof linkSources)[number];

export const linkedStates = ['live', 'lost', 'unknown'] as const;
export type LinkedState = (typeof linkedStates)[number];

/** Whether a site links to a project: it does, it did, or a link is ordered. */
export const linkedToProject = ['live', 'lost', 'ordered'] as const;
export type LinkedToProject = (typeof linkedToProject)[number];

/** The domains that link to a project according to the files its owner imported. */
export const projectLinkedDomains = pgTable(
  'project_linked_domains',
  {
    projectId: text()
      .notNull()
      .references(() => projects.id),
    /** As `sites.domain`. */
    domain: text().notNull(),
    source: text({ enum: linkSources }).notNull(),
    state: text({ enum: linkedStates }).notNull(),
    /** The day of the state: the newest on which the tool saw a link, or that of the loss; null if the file has none. */
    seenOn: date(),
    importedAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.domain, table.source] })],
);

/** The anchors of existing links of a project, counted from the same files. */
export const projectAnchors = pgTable(
  'project_anchors',
  {
    id: identityColumn(),
    projectId: text()
      .notNull()
      .references(() => projects.id),
    source: text({ enum: linkSources }).notNull(),
    anchor: text().notNull(),
    isImage: boolean().notNull(),
    /** When the tool first saw the links; null if the file has no day. */
    firstSeenOn: date(),
    links: integer().notNull(),
  },
  (table) => [
    unique('project_anchors_key')
      .on(table.projectId, table.source, table.anchor, table.isImage, table.firstSeenOn)
      .nullsNotDistinct(),
    check('project_anchors_links', sql`${table.links} > 0`),
  ],
);

/**
 * What the files of a tool stated of a project: domains by state, and links by anchor. Counted at each import, because a
 * project can have millions of domains.
 */
export const projectLinkSources = pgTable(
  'project_link_sources',
  {
    projectId: text()
      .notNull()
      .references(() => projects.id),
    source: text({ enum: linkSources }).notNull(),
    live: integer().notNull(),
    lost: integer().notNull(),
    unknown: integer().notNull(),
    /** The links of the anchors. */
    anchors: bigint({ mode: 'number' }).notNull(),
    importedAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.source] })],
);

/** Domains that a buyer does not want to see: for all projects, or for one. */
export const blockedDomains = pgTable(
  'blocked_domains',
  {
    id: identityColumn(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** Null for all projects of the user. */
    projectId: text().references(() => projects.id),
    /** As `sites.domain`. */
    domain: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique('blocked_domains_key').on(table.accountId, table.projectId, table.domain).nullsNotDistinct(),
    index('blocked_domains_project_idx').on(table.projectId),
  ],
);
