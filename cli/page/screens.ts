/** Screens of the web page, in the order of its navigation. Commands do not load the page itself. */
export const SCREENS = ['inbox', 'state', 'plan', 'drift', 'runs', 'agents', 'workflows', 'queues'] as const
