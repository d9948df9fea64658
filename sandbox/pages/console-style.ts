/** The gateway's own pages: overview, inbox, deliveries and publisher. */
export const consoleStyle = `
.bar { display: flex; align-items: center; gap: 24px; padding: 0 32px; min-height: 56px; background: var(--panel); border-bottom: 1px solid var(--line); flex-wrap: wrap; }
.bar strong { display: flex; align-items: center; gap: 8px; font-weight: 600; }
.bar nav { display: flex; gap: 4px; }
.bar nav a { padding: 6px 10px; border-radius: 6px; color: var(--soft); text-decoration: none; }
.bar nav a:hover { background: var(--wash); color: var(--ink); }
.bar nav a[aria-current] { background: var(--wash); color: var(--ink); font-weight: 500; }
main.desk { max-width: 1120px; margin: 0 auto; padding: 32px; display: grid; gap: 32px; grid-template-columns: minmax(0, 1fr); }
.head { display: flex; align-items: center; justify-content: space-between; gap: 16px; flex-wrap: wrap; min-height: 32px; }
.head + * { margin-top: 12px; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.pad { padding: 20px; }
.empty { padding: 40px 20px; text-align: center; color: var(--soft); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: 12px; font-weight: 500; color: var(--soft); padding: 10px 16px; border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 12px 16px; vertical-align: top; }
tr + tr td { border-top: 1px solid var(--line); }
td.right, th.right { text-align: right; }
td .soft { display: block; }
.nowrap { white-space: nowrap; }
.cut { max-width: 220px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.acts { display: flex; flex-wrap: wrap; gap: 6px; justify-content: flex-end; }
.acts .button { min-height: 28px; padding: 2px 10px; font-size: 13px; }
.subject { font-weight: 500; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.wrap { overflow-wrap: anywhere; }
.subject:hover { text-decoration: underline; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 16px; }
.fields label { display: grid; gap: 4px; font-size: 13px; font-weight: 500; }
.fields input, .fields select, .filter input {
  width: 100%; min-height: 34px; padding: 4px 10px; border: 1px solid var(--field); border-radius: 8px;
  background: var(--panel); color: var(--ink); font: inherit;
}
.foot { display: flex; gap: 8px; margin-top: 20px; flex-wrap: wrap; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 6px 24px; }
.facts dt { color: var(--soft); }
.facts dd { overflow-wrap: anywhere; }
.foot { align-items: flex-end; }
.alert { padding: 12px 16px; border-radius: 10px; margin-bottom: 16px; background: var(--bad-wash); color: var(--bad); overflow-wrap: anywhere; }
.inline { display: flex; align-items: flex-end; gap: 6px; }
.inline label { display: grid; gap: 4px; font-size: 13px; font-weight: 500; }
.inline input { width: 150px; min-height: 32px; padding: 4px 10px; border: 1px solid var(--field); border-radius: 8px; background: var(--panel); color: var(--ink); font: inherit; }
.filter { display: flex; gap: 8px; }
.filter input { width: 240px; min-width: 0; }
.letter dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin-top: 12px; }
.letter dt { color: var(--soft); }
.letter dd { overflow-wrap: anywhere; }
.letter iframe { display: block; width: 100%; height: 70vh; border: 0; border-top: 1px solid var(--line); background: #ffffff; }
.letter.short iframe { height: 280px; }
.letter details { border-top: 1px solid var(--line); padding: 12px 20px; }
.letter summary { cursor: pointer; color: var(--soft); min-height: 24px; }
.letter pre { margin: 12px 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (max-width: 719px) {
  .bar { padding: 10px 16px; gap: 8px 16px; }
  .bar nav { margin-left: -10px; flex-wrap: wrap; }
  main.desk { padding: 20px 16px 32px; gap: 28px; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: 12px 16px; }
  tr + tr { border-top: 1px solid var(--line); }
  td, tr + tr td { padding: 2px 0; border: 0; }
  td.right { text-align: left; }
  .acts { justify-content: flex-start; margin-top: 6px; }
  .filter, .filter input { width: 100%; }
}
`;
