// Preloaded into the app (`node --import`): shifts its clock by CLOCK_SHIFT_MS, as on a machine without NTP.
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
