import { describe, expect, it } from 'vitest';
import { canOpenWeChat, isPhone, isWeChatBrowser } from '@/lib/payments/top-ups/topup-route';

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

describe.each([
  ['a phone', iPhone, { phone: true, weChat: false, h5: true }],
  ['another phone', android, { phone: true, weChat: false, h5: true }],
  [
    'WeChat on a phone',
    `${iPhone} MicroMessenger/8.0.50(0x1800323d) NetType/WIFI`,
    { phone: true, weChat: true, h5: false },
  ],
  ['WeChat on another phone', `${android} MicroMessenger/8.0.49.2600`, { phone: true, weChat: true, h5: false }],
  ['WeChat on a computer', `${windows} MicroMessenger/7.0.20 WindowsWechat`, { phone: false, weChat: true, h5: false }],
  ['a computer', mac, { phone: false, weChat: false, h5: false }],
  ['a browser without a name', '', { phone: false, weChat: false, h5: false }],
])('%s', (_, agent, expected) => {
  it("opens the WeChat app only from a phone's browser", () => {
    const headers = new Headers({ 'user-agent': agent });
    expect({ phone: isPhone(headers), weChat: isWeChatBrowser(headers), h5: canOpenWeChat(headers) }).toEqual(expected);
  });
});
