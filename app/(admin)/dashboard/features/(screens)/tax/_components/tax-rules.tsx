'use client';

import { useId } from 'react';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText, SelectField, TextField } from '@/components/form/fields';
import { Checkbox } from '@/components/ui/controls';
import type { EuPersonRule } from '@/lib/tax/contract';
import type { OperatorView } from '@/lib/tax/operator-contract';
import { savePart } from './save-part';

const euPersonTexts: Record<EuPersonRule, string> = {
  refuse: 'Can’t order',
  operator_rate: 'Pay your rate',
  oss: 'Pay the rate of their country (One Stop Shop)',
};
const isEuPersonRule = (value: string): value is EuPersonRule => Object.hasOwn(euPersonTexts, value);

/** Edits who is served, the exemption of small businesses and the rule for a silent VIES. */
export function TaxRules({ operator }: { operator: OperatorView }) {
  const { served, isSmallBusiness, smallBusinessText, untaxedText, trustsSilentVies } = operator;
  return (
    <SettingsCard
      title="Rules"
      description="Who can order while tax is on, and what documents say. Applies to new orders."
      formClassName="gap-6"
      submitLabel="Save rules"
      version={operator.version}
      submit={(data, version) => {
        const isChecked = (name: string) => data.has(name);
        const euPersons = getFormText(data, 'served.euPersons');
        return savePart(
          {
            served: {
              domestic: isChecked('served.domestic'),
              euBusinesses: isChecked('served.euBusinesses'),
              euPersons: isEuPersonRule(euPersons) ? euPersons : served.euPersons,
              outsideEu: isChecked('served.outsideEu'),
            },
            ...{ isSmallBusiness: isChecked('isSmallBusiness'), trustsSilentVies: isChecked('trustsSilentVies') },
            smallBusinessText: getFormText(data, 'smallBusinessText'),
            untaxedText: getFormText(data, 'untaxedText'),
          },
          version,
        );
      }}
      failure="The rules couldn’t be saved. Please try again."
    >
      {(errors) => (
        <>
          <fieldset className="grid content-start gap-3">
            <legend className="mb-3 font-medium text-ink text-sm">Who can order</legend>
            <Choice name="served.domestic" isOn={served.domestic} label="Buyers in your country">
              They pay your rate.
            </Choice>
            <Choice
              name="served.euBusinesses"
              isOn={served.euBusinesses}
              label="Businesses in other EU member states with a valid VAT id"
            >
              They pay no tax to you: reverse charge.
            </Choice>
            <Choice name="served.outsideEu" isOn={served.outsideEu} label="Buyers in other countries">
              They pay no tax to you. For a seller outside the European Union that is everyone abroad.
            </Choice>
            <SelectField
              name="served.euPersons"
              label="Others in EU member states, without a valid VAT id"
              options={euPersonTexts}
              defaultValue={served.euPersons}
              error={errors['served.euPersons']}
              hint="The One Stop Shop needs a registration with your tax office."
            />
          </fieldset>
          <fieldset className="grid content-start gap-3">
            <legend className="mb-3 font-medium text-ink text-sm">VAT ids of buyers</legend>
            <Choice
              name="trustsSilentVies"
              isOn={trustsSilentVies}
              label="Accept a VAT id while the EU’s register (VIES) doesn’t answer"
            >
              Its form and checksum are always checked, and the register is asked again.
            </Choice>
          </fieldset>
          <fieldset className="grid content-start gap-3">
            <legend className="mb-3 font-medium text-ink text-sm">Words on documents</legend>
            <Choice name="isSmallBusiness" isOn={isSmallBusiness} label="We are exempt as a small business">
              No tax is charged to anyone.
            </Choice>
            <TextField
              name="smallBusinessText"
              label="Words of a small business"
              defaultValue={smallBusinessText}
              maxLength={300}
              error={errors.smallBusinessText}
              hint="As your law requires them, e.g. “Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.”"
            />
            <TextField
              name="untaxedText"
              label="Words while tax is off"
              defaultValue={untaxedText}
              maxLength={300}
              error={errors.untaxedText}
              hint="Why documents have no tax. Structured invoices need a reason."
            />
          </fieldset>
        </>
      )}
    </SettingsCard>
  );
}

type ChoiceProps = { name: string; isOn: boolean; label: string; children: string };

/** Renders a checkbox with an explanation. */
function Choice({ name, isOn, label, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="grid gap-0.5 text-sm">
      <Checkbox name={name} defaultChecked={isOn} aria-describedby={id} label={label} />
      <p id={id} className="pl-6 text-muted text-xs">
        {children}
      </p>
    </div>
  );
}
