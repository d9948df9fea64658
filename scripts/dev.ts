import { runCommand } from './process/lifetime';
import { runApp } from './services/run-app';

/** `npm run dev`: the same as the demo, with hot reload. */
runCommand((lifetime) => runApp(lifetime, 'dev'));
