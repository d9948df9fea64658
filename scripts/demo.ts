import { runCommand } from './process/lifetime';
import { runApp } from './services/run-app';

/** `npm run demo`: the built app with everything it needs, on this machine, with demo data. */
runCommand((lifetime) => runApp(lifetime, 'start'));
