'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { SelectField } from '@/components/form/fields';
import { withParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { AmountField } from '@/components/wallet/amount-field';
import { checkoutUrlOf, returnPages } from '@/components/wallet/return-url';
import type { BankCurrency } from '@/db/schema/bank-transfers';
import type { PaymentProviderName } from '@/db/schema/topups';
import { ApiError, apiFetch, newIdempotencyKey, redirectToSignIn } from '@/lib/browser/api-client';
import { parseMoney } from '@/lib/money';
import type { OfferedProvider } from '@/lib/payments/providers/open-provider';

/** The payment methods by provider. */
const topUpMethods: Readonly<Record<PaymentProviderName, TopUpMethod>> = {
  stripe: {
    label: 'Stripe card/wallets',
    hint: 'You’ll be redirected to a Stripe-hosted checkout.',
    path: '/api/user/payments/stripe/checkout',
    failure: 'Top-up failed. Please try again.',
  },
  paypal: {
    label: 'PayPal',
    hint: 'You’ll be redirected to PayPal to approve the payment.',
    path: '/api/wallet/topup/paypal',
    failure: 'PayPal top-up failed. Please try again or contact support.',
  },
  wechat: {
    label: 'WeChat Pay',
    hint: 'You’ll pay in CNY in the WeChat app, or by scanning a code with it.',
    path: '/api/wallet/topup/wechat',
    failure: 'WeChat Pay top-up failed. Please try again or contact support.',
  },
};

const bankTransfer = (currency: BankCurrency): TopUpMethod => ({
  label: `Bank transfer in ${currency}`,
  hint: 'You’ll see the account and a reference for the transfer, which takes one to three business days.',
  path: '/api/wallet/topup/bank',
  currency,
  failure: 'The bank transfer could not be started. Please try again or contact support.',
});

/** Status codes whose server message is displayed: invalid input, conflict, rate limit, unavailable payment method. */
const statusesWithServerText = new Set([400, 409, 429, 503]);

/** The minimum top-up in cents. */
const minimumCents = 100;

type AddFundsProps = {
  providers: readonly OfferedProvider[];
  /** The currencies of the accounts that buyers can transfer money to. */
  transfers: readonly BankCurrency[];
  /** The amount from the URL, in major units. If set, the dialog opens. */
  requested: string | null;
  /** The page to return to after the payment; '' if none. */
  back: string;
};

/** Renders the Add Funds button and its dialog. The typed amount is kept when the dialog closes. */
export function AddFunds({ providers, transfers, requested, back }: AddFundsProps) {
  const router = useRouter();
  const pathname = usePathname();
  const searchParams = useSearchParams();
  const [lastRequested, setLastRequested] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [amount, setAmount] = useState('');

  if (requested !== lastRequested) {
    setLastRequested(requested);
    if (requested !== null) {
      setAmount(requested);
      setOpen(true);
    }
  }

  const change = (next: boolean) => {
    setOpen(next);
    if (next || requested === null) return;
    router.replace(withParams(pathname, new URLSearchParams(searchParams), { topup: null }), { scroll: false });
  };

  return (
    <>
      <Button variant="primary" icon={<Icon name="plus" />} aria-haspopup="dialog" onClick={() => change(true)}>
        Add Funds
      </Button>
      <Dialog
        open={open}
        onOpenChange={change}
        title="Add Funds"
        description={
          back
            ? 'You need this much more for your order. You’ll return to it once the payment is confirmed.'
            : 'The money is added to your wallet once the payment is confirmed.'
        }
        size="sm"
      >
        <AddFundsForm providers={providers} transfers={transfers} amount={amount} onAmount={setAmount} back={back} />
      </Dialog>
    </>
  );
}

type AddFundsFormProps = Pick<AddFundsProps, 'providers' | 'transfers' | 'back'> & {
  amount: string;
  onAmount: (amount: string) => void;
};

/** Selects an amount and a payment method, then redirects to the provider. A failed request keeps the form values. */
function AddFundsForm({ providers, transfers, amount, onAmount, back }: AddFundsFormProps) {
  const pathname = usePathname();
  const methods = new Map<string, TopUpMethod>([
    ...providers.map(({ name }) => [name, topUpMethods[name]] as const),
    ...transfers.map((currency) => [currency, bankTransfer(currency)] as const),
  ]);
  const options = [...methods].map(([value, { label }]) => ({ value, label }));
  const [chosen, setChosen] = useState<string>(options[0]?.value ?? '');
  const [pending, setPending] = useState(false);
  const [amountError, setAmountError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  /** The last request without a response. A retry of the same request reuses its idempotency key. */
  const [attempt, setAttempt] = useState({ request: '', key: '' });
  const provider = providers.find(({ name }) => name === chosen);
  const method = methods.get(chosen);
  const cents = parseMoney(amount);

  // On return from the provider, the back/forward cache may restore this page in its pending state.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setPending(false);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const submit = async () => {
    if (pending) return;
    setFailure(null);
    if (cents === null || cents < minimumCents) return setAmountError('Please enter at least $1.00');
    if (!method) return setFailure('Unsupported payment method.');
    setAmountError(undefined);
    setPending(true);
    const pages = returnPages(pathname, back);
    const request = JSON.stringify([method.path, method.currency, cents, pages.returnUrl]);
    const key = attempt.request === request ? attempt.key : newIdempotencyKey();
    setAttempt({ request, key });
    const started = await startTopUp(method, cents / 100, pages.returnUrl, key);
    if (started.kind === 'redirect') {
      // The request succeeded, so a later identical request is a new top-up.
      setAttempt({ request: '', key: '' });
      // The button stays pending while the browser navigates.
      return window.location.assign(pages.checkoutUrl(started.url));
    }
    if (started.kind === 'sign-in') return redirectToSignIn();
    setPending(false);
    if (started.kind === 'amount') setAmountError(started.message);
    else setFailure(started.message);
  };

  return (
    <form
      noValidate
      className="contents"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <DialogBody className="grid gap-5">
        {failure ? <Alert tone="error">{failure}</Alert> : null}
        {options.length === 0 ? (
          <Alert tone="warning">No payment method is available right now. Please contact support.</Alert>
        ) : null}
        <AmountField
          step="0.01"
          value={amount}
          error={amountError}
          disabled={pending}
          onChange={(value) => {
            setAmountError(undefined);
            onAmount(value);
          }}
        />
        {options.length > 0 ? (
          <SelectField
            label="Payment method"
            name="method"
            options={options}
            value={chosen}
            disabled={pending}
            onChange={(event) => setChosen(event.target.value)}
            hint={
              <>
                {method?.hint}
                {provider && !provider.isLive
                  ? ' Test mode: no real money is charged. Test credit is removed when we go live.'
                  : ''}
              </>
            }
          />
        ) : null}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button disabled={pending}>Cancel</Button>
        </DialogClose>
        <Button
          type="submit"
          variant="primary"
          pending={pending}
          disabled={cents === null || cents <= 0 || options.length === 0}
        >
          Add Funds
        </Button>
      </DialogFooter>
    </form>
  );
}

type StartedTopUp =
  | { kind: 'redirect'; url: string }
  | { kind: 'sign-in' }
  /** The amount is invalid. The message is displayed below its field. */
  | { kind: 'amount'; message: string }
  | { kind: 'failed'; message: string };

/**
 * Creates a checkout at the provider.
 * @param amount in major units
 * @param returnUrl the path of this app to return to
 * @param idempotencyKey a retry with the same key returns the checkout of the first request
 */
async function startTopUp(
  method: TopUpMethod,
  amount: number,
  returnUrl: string,
  idempotencyKey: string,
): Promise<StartedTopUp> {
  try {
    const response = await apiFetch<unknown>(method.path, {
      method: 'POST',
      body: { amount, currency: method.currency ?? 'USD', returnUrl, cancelUrl: returnUrl },
      headers: { 'Idempotency-Key': idempotencyKey },
    });
    const url = method.currency ? transferPageOf(response) : checkoutUrlOf(response);
    if (url === null) throw new ApiError(0, 'No checkout URL returned');
    return { kind: 'redirect', url };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if ((thrown.status === 401 || thrown.status === 403) && thrown.code === null) return { kind: 'sign-in' };
    if (thrown.fields.amount) return { kind: 'amount', message: thrown.fields.amount };
    const hasServerText = statusesWithServerText.has(thrown.status) && thrown.message !== '';
    return { kind: 'failed', message: hasServerText ? thrown.message : method.failure };
  }
}

/** Returns the page of a requested bank transfer. */
function transferPageOf(response: unknown): string | null {
  if (typeof response !== 'object' || response === null || !('reference' in response)) return null;
  return typeof response.reference === 'string' ? `/user/wallet/bank/${response.reference}` : null;
}

type TopUpMethod = {
  /** The label in the select. */
  label: string;
  /** The text below the select. */
  hint: string;
  /** The API path. */
  path: string;
  /** The currency of the payment, where the buyer chooses it. */
  currency?: BankCurrency;
  /** Displayed if the request fails for a reason that the user cannot correct. */
  failure: string;
};
