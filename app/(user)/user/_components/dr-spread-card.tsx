import { BarChart } from '@/components/dashboard/bar-chart';
import { ChartTable } from '@/components/dashboard/chart-table';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { type DrSpread, drBands, spreadOrders } from '@/lib/dashboard/buyer-figures';

/** The number of placements by the domain rating of their sites, as a chart and as a table; nothing without any. */
export function DrSpreadCard({ spread: { counts, unknown, isCapped } }: { spread: DrSpread }) {
  const rated = counts.reduce((total, count) => total + count, 0);
  if (rated === 0) return null;
  const bands = drBands.map((from, index) => ({
    name: `${from}–${(drBands[index + 1] ?? 101) - 1}`,
    count: counts[index] ?? 0,
  }));
  const top = Math.max(...counts);
  const most = bands.find(({ count }) => count === top);
  const scope = isCapped ? `the newest ${spreadOrders.toLocaleString('en-US')} orders` : 'your orders';
  return (
    <Card>
      <CardHeader title="DR of bought sites" description={`Current domain rating of the sites in ${scope}`} />
      <CardBody>
        <BarChart
          bars={bands.map(({ name, count }) => ({ key: name, label: `DR ${name}`, amounts: [count] }))}
          series={[{ name: 'Placements' }]}
          unit="count"
          label={`Placements by DR. Most of them, ${top.toLocaleString('en-US')}, are on sites with DR ${most?.name}.`}
        />
        <ChartTable
          caption="Placements by DR"
          rowHeader="DR"
          rowName={({ name }) => name}
          rowKey={({ name }) => name}
          columns={[['Placements', ({ count }) => count.toLocaleString('en-US')]]}
          rows={unknown > 0 ? [...bands, { name: 'Unknown', count: unknown }] : bands}
        />
      </CardBody>
    </Card>
  );
}
