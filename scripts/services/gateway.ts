import { z } from 'zod';
import { type Child, startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { findFreeBlock, isPortFree } from '@/scripts/process/ports';

/** The ports of the inbox and the controls, Stripe, PayPal, WeChat and the publisher. */
const portCount = 5;
const usualPort = 4610;

const keysSchema = z.object({
  wechatPlatformSerial: z.string(),
  wechatPublicKeyId: z.string(),
  wechatPublicKeyPem: z.string(),
});

/** The WeChat Pay keys of the gateway, which it generates and stores. */
export type GatewayKeys = z.infer<typeof keysSchema>;

/**
 * Starts the sandbox gateway on GATEWAY_PORT and the next four ports. When it is unset and another run uses the
 * default ports, it uses the next free ones.
 * @param env the gateway's environment; PORT is the app's, which starts later and must stay free
 * @returns the process, the first port, and the keys that the app needs
 * @throws Error when GATEWAY_PORT is set and one of its ports is in use or the app's
 */
export async function startGateway(
  lifetime: Lifetime,
  env: { PORT: string } & Record<string, string>,
  onLine: (line: string) => void,
): Promise<{ gateway: Child; gatewayPort: number; keys: GatewayKeys }> {
  const chosen = process.env.GATEWAY_PORT ? Number(process.env.GATEWAY_PORT) : undefined;
  const appPort = Number(env.PORT);
  if (chosen !== undefined) await checkPorts(chosen, appPort);
  for (let from = chosen ?? usualPort; ; from += 10) {
    const gatewayPort = chosen ?? (await findFreeBlock(from, portCount, [appPort]));
    const url = `http://127.0.0.1:${gatewayPort}`;
    let announce: () => void = () => undefined;
    const announced = new Promise<void>((resolve) => {
      announce = resolve;
    });
    const gateway = startChild({
      name: 'sandbox gateway',
      args: tsxArgs('sandbox/start.ts'),
      env: { ...env, GATEWAY_PORT: String(gatewayPort) },
      onLine: (line, stream) => {
        if (line === `Sandbox gateway: ${url}`) announce();
        else if (stream === 'error') onLine(line);
      },
    });
    await lifetime.own(Promise.resolve(gateway), (child) => child.stop());
    try {
      // An answer at the port may be that of another run's gateway, which was quicker; only this process prints the line.
      await Promise.race([announced, gateway.exited]);
      if (gateway.hasExited()) throw new Error(`The sandbox gateway did not start:\n${gateway.tail()}`);
      const keys = keysSchema.parse(await (await fetch(`${url}/controls/keys`)).json());
      return { gateway, gatewayPort, keys };
    } catch (error) {
      // Another run took the ports in the meantime.
      const claimed = chosen === undefined && !(await isPortFree(gatewayPort));
      await gateway.stop();
      if (!claimed) throw error;
      from = gatewayPort;
    }
  }
}

async function checkPorts(first: number, appPort: number): Promise<void> {
  if (!Number.isInteger(first) || first < 1 || first + portCount > 65_536) {
    throw new Error(`GATEWAY_PORT must be a port number that leaves room for ${portCount} ports, e.g. ${usualPort}.`);
  }
  const ports = Array.from({ length: portCount }, (_, index) => first + index);
  if (ports.includes(appPort)) {
    throw new Error(
      `PORT=${appPort} is one of the ports ${first} to ${first + portCount - 1} that GATEWAY_PORT=${first} gives the ` +
        `sandbox gateway. Set one of the two to another port, e.g. GATEWAY_PORT=${first > 60_000 ? first - 100 : first + 100}.`,
    );
  }
  for (const port of ports) {
    if (await isPortFree(port)) continue;
    throw new Error(
      `Port ${port} is in use; the sandbox gateway needs ${first} to ${first + portCount - 1}. ` +
        `Set GATEWAY_PORT to another one, e.g. GATEWAY_PORT=${first + 100}, or leave it unset.`,
    );
  }
}
