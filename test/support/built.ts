// Programs that the integration set-up builds. A test that imports this file, directly or not, is an integration test.
import { join } from 'node:path'
import { root } from './root.ts'

/** A command as users start it. */
export const bin = (program: 'svc' | 'agent' | 'doc'): string => join(root, 'bin', program)

/** The program inside an agent's session: `node <path> --launch FILE`. */
export const bridgeProgram = join(root, 'dist', 'svc-agent.js')
