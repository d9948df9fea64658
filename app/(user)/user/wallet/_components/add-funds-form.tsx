'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useState } from 'react';
import { SelectField } from '@/components/form/select-field';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog';
import { AmountField } from '@/components/wallet/amount-field';
import { newIdempotencyKey } from '@/lib/browser/idempotency-key';
import { redirectToSignIn } from '@/lib/browser/redirect-if-signed-out';
import { parseMoney } from '@/lib/money';
import type { OfferedProvider } from '@/lib/payments/config/offered-providers';
import { returnPages } from './return-pages';
import { startTopUp } from './start-top-up';
import { topUpMethods } from './top-up-methods';

/** Least top-up in cents (spec 001, section 9). */
const leastCents = 100;

type AddFundsFormProps = {
  providers: readonly OfferedProvider[];
  amount: string;
  onAmount: (amount: string) => void;
  /** The page that waits for the money; '' for none. */
  back: string;
};

/** Amount and method; sends the browser to the provider's page. What was entered stays when that fails. */
export function AddFundsForm({ providers, amount, onAmount, back }: AddFundsFormProps) {
  const pathname = usePathname();
  const options = providers.map(({ name }) => ({ value: name, label: topUpMethods[name].label }));
  const [chosen, setChosen] = useState<string>(options[0]?.value ?? '');
  const [pending, setPending] = useState(false);
  const [amountError, setAmountError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  /** What was asked for last, until it was answered: a try whose answer was lost is repeated under its key. */
  const [attempt, setAttempt] = useState({ asked: '', key: '' });
  const provider = providers.find(({ name }) => name === chosen);
  const method = provider && topUpMethods[provider.name];
  const cents = parseMoney(amount);

  // Back from the provider's page, the browser may show this one as it was left: waiting.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && setPending(false);
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const submit = async () => {
    if (pending) return;
    setFailure(null);
    if (cents === null || cents < leastCents) return setAmountError('Please enter at least $1.00');
    if (!method) return setFailure('Unsupported payment method.');
    setAmountError(undefined);
    setPending(true);
    const pages = returnPages(pathname, back);
    const asked = JSON.stringify([method.path, cents, pages.returnUrl]);
    const key = attempt.asked === asked ? attempt.key : newIdempotencyKey();
    setAttempt({ asked, key });
    const started = await startTopUp(method, cents / 100, pages.returnUrl, key);
    if (started.kind === 'redirect') {
      // Whoever comes back and asks for the same again wants another one.
      setAttempt({ asked: '', key: '' });
      // The button stays busy while the browser leaves.
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
          <Alert tone="warning">No payment method is set up at the moment. Please contact support.</Alert>
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
                  ? ' Test mode: no real money is charged, and going live removes the credit.'
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
