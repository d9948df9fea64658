import type { StateStore } from '@/sandbox/state';
import { parkedUrl } from './changed-page';
import { readOwnName } from './names';
import type { PageChange, PublishedPage, PublisherRequest } from './records';

/** The address of every name that has no other. Public, because private ones are refused; nothing connects to it. */
const defaultAddress = '93.184.216.34';
const maxRequests = 10_000;

/** The websites of the sandbox: pages under example.com, example.net and example.org that tests and the demo publish. */
export class Publisher {
  /** In memory only: a restart begins a new log. */
  readonly #requests: PublisherRequest[] = [];

  constructor(readonly store: StateStore) {}

  /** Returns all pages, newest first. */
  pages(): PublishedPage[] {
    return Object.values(this.#state.pages).reverse();
  }

  find(url: string): PublishedPage | undefined {
    return this.#state.pages[pageKey(new URL(url))];
  }

  /** Publishes a page, or replaces the one at its URL. */
  async publish(page: PublishedPage): Promise<void> {
    this.#put(page);
    await this.store.save();
  }

  /** @returns the number of deleted pages. @param url undefined for all */
  async remove(url?: string): Promise<number> {
    const { pages } = this.#state;
    const keys = url === undefined ? Object.keys(pages) : [pageKey(new URL(url))].filter((key) => key in pages);
    for (const key of keys) delete pages[key];
    await this.store.save();
    return keys.length;
  }

  /** Changes how a page is served. @param change null restores it. @returns undefined for an unknown page */
  async change(url: string, change: PageChange | null): Promise<PublishedPage | undefined> {
    const page = this.find(url);
    if (!page) return undefined;
    page.change = change;
    if (change === 'redirected') this.#publishParkedPage(parkedUrl(page));
    await this.store.save();
    return page;
  }

  /** Returns the addresses of a name; null if it is not one of the publisher's. */
  resolve(host: string): readonly string[] | null {
    const name = readOwnName(host);
    return name === null ? null : (this.#state.names[name] ?? [defaultAddress]);
  }

  /** Returns the addresses and TXT records of a name; null if it is not one of the publisher's. */
  records(host: string): { addresses: readonly string[]; texts: readonly string[] } | null {
    const addresses = this.resolve(host);
    return addresses && { addresses, texts: this.#state.txt[readOwnName(host) ?? ''] ?? [] };
  }

  /** Sets the TXT records of names. @param texts by name; those of other names stay */
  async setTexts(texts: Readonly<Record<string, readonly string[]>>): Promise<void> {
    for (const [name, values] of Object.entries(texts)) this.#state.txt[name] = [...values];
    await this.store.save();
  }

  /** @param addresses none for a name that does not exist */
  async setAddresses(name: string, addresses: readonly string[]): Promise<void> {
    this.#state.names[name] = [...addresses];
    await this.store.save();
  }

  /** Gives names their default address again, and no TXT records. @param name undefined for all */
  async resetAddresses(name?: string): Promise<void> {
    for (const records of [this.#state.names, this.#state.txt]) {
      for (const key of name === undefined ? Object.keys(records) : [name]) delete records[key];
    }
    await this.store.save();
  }

  /** Returns the newest requests, oldest first. @param host undefined for all */
  requests(host?: string): PublisherRequest[] {
    return this.#requests.filter((request) => host === undefined || request.host === host);
  }

  /** Returns the newest requests of a page, oldest first. */
  requestsOf({ url }: PublishedPage): PublisherRequest[] {
    const key = pageKey(new URL(url));
    return this.#requests.filter((request) => pageKey(new URL(request.url)) === key);
  }

  record(request: PublisherRequest): void {
    this.#requests.push(request);
    // In blocks, because each removal moves the rest of the list.
    if (this.#requests.length >= 2 * maxRequests) this.#requests.splice(0, maxRequests);
  }

  forgetRequests(): void {
    this.#requests.length = 0;
  }

  /** Deletes everything. The caller saves the state. */
  forget(): void {
    this.#requests.length = 0;
    Object.assign(this.#state, { pages: {}, names: {}, txt: {} });
  }

  get #state() {
    return this.store.state.publisher;
  }

  #put(page: PublishedPage): void {
    const key = pageKey(new URL(page.url));
    const { pages } = this.#state;
    // A replaced page moves to the end, where the newest is.
    delete pages[key];
    pages[key] = page;
    if (page.change === 'redirected') this.#publishParkedPage(parkedUrl(page));
  }

  #publishParkedPage(url: string): void {
    if (this.find(url)) return;
    this.#put({
      url,
      html: '<!doctype html><html lang="en"><head><title>Domain for sale</title></head><body><h1>This domain is for sale</h1></body></html>',
      status: 200,
      headers: {},
      redirect: null,
      delayMs: 0,
      change: null,
      publishedAt: new Date().toISOString(),
    });
  }
}

function pageKey({ hostname, pathname, search }: URL): string {
  return `${hostname.replace(/\.$/, '')}${pathname}${search}`;
}
