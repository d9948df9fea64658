'use client';

import { toast } from 'sonner';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { Checkbox } from '@/components/ui/controls';
import { callAction } from '@/lib/browser/api-client';
import { saveDeliveryProviderAction } from '@/lib/invoices/delivery/actions';
import { channelNames } from '@/lib/invoices/delivery/channel-names';
import type { ProviderView } from '@/lib/invoices/delivery/providers';

const descriptions: Readonly<Record<ProviderView['channel'], string>> = {
  peppol:
    'Your Peppol access point receives each document as UBL (Peppol BIS Billing 3.0) when the buyer has a VAT id of a country that uses VAT ids as Peppol addresses.',
  ksef: 'Your KSeF service receives the documents of a Polish operator to businesses as UBL, and converts them to FA(3).',
};

/** Edits the provider of a channel. */
export function ProviderCard({ provider }: { provider: ProviderView }) {
  const { channel, isOn, url, lastFour, version } = provider;
  return (
    <SettingsCard
      title={channelNames[channel]}
      description={descriptions[channel]}
      submitLabel={`Save ${channelNames[channel]}`}
      version={version}
      onSuccess={(_, form) => {
        clearKey(form);
        toast.success('Saved');
      }}
      submit={(data, stored) =>
        callAction(() =>
          saveDeliveryProviderAction({
            channel,
            isOn: data.has('isOn'),
            url: getFormText(data, 'url'),
            key: getFormText(data, 'key'),
            version: stored,
          }),
        )
      }
      failure="The provider couldn’t be saved. Please try again."
      fields={[
        {
          name: 'url',
          label: 'Address',
          type: 'url',
          required: true,
          defaultValue: url,
          placeholder: 'https://',
          hint: 'Documents are posted to it. The state of a document is read from this address with its ID.',
        },
        {
          name: 'key',
          label: 'Key',
          type: 'password',
          autoComplete: 'off',
          required: lastFour === '',
          hint: lastFour
            ? `The stored key ends in ${lastFour}. Leave empty to keep it. Another host needs the key again.`
            : 'Sent as a bearer token. Encrypted, and never shown again.',
        },
      ]}
      note="Documents issued from now on are sent. Earlier ones are not."
    >
      {() => <Checkbox name="isOn" label="Send documents" defaultChecked={isOn} />}
    </SettingsCard>
  );
}

/** Empties the field of the key, which is never shown again. */
function clearKey(form: HTMLFormElement): void {
  const field = form.elements.namedItem('key');
  if (field instanceof HTMLInputElement) field.value = '';
}
