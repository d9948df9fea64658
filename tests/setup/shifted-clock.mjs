// Preloaded into the app (`node --import`): its clock goes wrong by CLOCK_SHIFT_MS, as a machine's without NTP does.
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shift] : given));
  }
  static now() {
    return RealDate.now() + shift;
  }
};
