import { runCommand } from './process/lifetime';
import { runApp } from './services/run-app';

/** `npm run dev`: like the demo, with hot reload. */
runCommand((lifetime) => runApp(lifetime, 'dev'));
