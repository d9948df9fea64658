'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import {
  type Proof,
  type ProofKey,
  type ProofStatement,
  parseStatement,
  proofFaults,
  type Verification,
  verifyProof,
} from '@/lib/links/passport/verify-proof';

type ProofViewProps = {
  id: string;
  proof: Proof;
  keys: readonly ProofKey[];
  /** The passport of the link after an agreed change; null without one. */
  replacedBy: string | null;
};
type State = Verification | { state: 'pending' };

/**
 * Renders a link passport. The browser verifies the signature, and every fact on the page is parsed from the text that
 * the signature covers.
 */
export function ProofView({ id, proof, keys, replacedBy }: ProofViewProps) {
  const [result, setResult] = useState<State>({ state: 'pending' });
  const statement = parseStatement(proof.statement);

  useEffect(() => {
    let isCurrent = true;
    verifyProof(proof, keys, id).then((verified) => {
      if (isCurrent) setResult(verified);
    });
    return () => {
      isCurrent = false;
    };
  }, [id, proof, keys]);

  const isProven = result.state === 'valid' || result.state === 'revoked';
  return (
    <div className="grid gap-4">
      {/* As high as the message of a valid passport, so that the facts do not move. */}
      <div className="grid min-h-36 sm:min-h-22">
        <Result result={result} revokedAt={proof.revokedAt} />
      </div>
      {replacedBy && proof.revokedAt === null ? (
        <Alert tone="warning" title="A newer passport replaced this one">
          The link was changed afterwards, as its buyer and its publisher agreed. This passport says what was true
          before:{' '}
          <a className="text-accent-ink underline" href={`/proof/${replacedBy}`}>
            open the newer passport
          </a>
          .
        </Alert>
      ) : null}
      {statement ? (
        <Card>
          <CardHeader title={isProven ? 'What the issuer signed' : 'What the statement says, not verified'} />
          <CardBody>
            <FactList facts={listFacts(statement, isProven)} />
          </CardBody>
        </Card>
      ) : null}
      <Card>
        <CardHeader
          title="The signed text"
          description="The signature covers these characters. Everything above is read from them."
        />
        <CardBody className="grid gap-3 text-sm">
          <p className="wrap-anywhere rounded-md bg-sunken p-3 font-mono text-ink text-xs">{proof.statement}</p>
          <FactList
            facts={[
              ['Signature', <Code key="signature">{proof.signature}</Code>],
              ['Key', <Code key="key">{proof.keyId}</Code>],
            ]}
          />
          <p className="text-muted">
            To verify it without this page, save{' '}
            <a className="text-accent-ink underline" href={`/api/proofs/${id}`} download={`passport-${id}.json`}>
              the passport
            </a>{' '}
            and{' '}
            <a
              className="text-accent-ink underline"
              href="/.well-known/linkmarket-keys"
              download="linkmarket-keys.json"
            >
              the public keys
            </a>
            . Any program that supports Ed25519 can verify the signature. In a copy of this software, run{' '}
            <Code>{`npm run passport:verify -- passport-${id}.json --keys linkmarket-keys.json`}</Code>
          </p>
        </CardBody>
      </Card>
    </div>
  );
}

const Code = ({ children }: { children: string }) => <code className="wrap-anywhere text-xs">{children}</code>;

function Result({ result, revokedAt }: { result: State; revokedAt: string | null }) {
  switch (result.state) {
    case 'pending':
      return (
        <Alert title="Verifying the signature">
          Your browser compares the statement with its signature and the issuer’s public key. Until then, nothing on
          this page is proven. This needs JavaScript.
        </Alert>
      );
    case 'valid':
      return (
        <Alert tone="success" title="This passport is valid">
          Your browser verified the signature. {result.statement.issuer} signed this statement, and it was not changed
          since. It describes the page at the time of the check.
        </Alert>
      );
    case 'revoked':
      return (
        <Alert tone="error" title="This passport was revoked">
          The signature is valid, but the issuer revoked the passport
          {revokedAt ? ` on ${formatTime(revokedAt)}` : ''}. Do not rely on it: the link may no longer be in place.
        </Alert>
      );
    case 'invalid':
      return (
        <Alert tone="error" title="This passport is not valid">
          {proofFaults[result.fault]} Do not rely on anything that it says.
        </Alert>
      );
    case 'unsupported':
      return (
        <Alert tone="warning" title="This browser cannot verify the signature">
          It has no Ed25519, or this page was not loaded over https. Open the page in a current browser, or verify the
          passport as described below. Until then, nothing on this page is proven.
        </Alert>
      );
  }
}

function listFacts(statement: ProofStatement, isProven: boolean): Fact[] {
  const { page, finalUrl, target, rel, anchor, indexable, verdict, textHash, checkedAt, issuer, audit } = statement;
  const link = (url: string): ReactNode => (isProven ? <ExternalLink url={url} /> : url);
  return [
    ['Link', verdict === 'ok' ? 'In place' : 'In place, with differences from what was ordered'],
    ['Page', link(page)],
    ...(finalUrl !== '' && finalUrl !== page ? ([['Redirected to', link(finalUrl)]] satisfies Fact[]) : []),
    ['Leads to', link(target)],
    ['Anchor text', anchor === '' ? 'None' : <bdi key="anchor">{anchor}</bdi>],
    ['Rel', rel === '' ? 'None: search engines may follow the link' : rel],
    ['Indexing', describeIndexing(indexable)],
    ['Checked', formatTime(checkedAt)],
    ['Issuer', issuer],
    ['Visible text', textHash === '' ? 'Unknown' : <Code key="text">{`SHA-256 ${textHash}`}</Code>],
    ['Audit log', audit ? <Code key="seal">{`Seal ${audit.position}: ${audit.hash}`}</Code> : 'No seal yet'],
  ];
}

/** Renders an address that users entered. Only http and https are links. */
function ExternalLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <a className="text-accent-ink underline" href={url} rel="nofollow ugc noopener noreferrer" target="_blank">
      {url}
    </a>
  );
}

function describeIndexing(indexable: boolean | null): string {
  if (indexable === null) return 'Unknown';
  return indexable ? 'Search engines may index the page' : 'The page tells search engines not to index it';
}

/** Formats a time in UTC, as it was signed, so that the server and every browser show the same text. */
const formatTime = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
