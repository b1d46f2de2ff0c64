// Built programs. A test that imports this file, directly or indirectly, is an integration test.
import { join } from 'node:path'
import { root } from './root.ts'

export const bin = (program: 'svc' | 'agent' | 'doc'): string => join(root, 'bin', program)

/** Runs in an agent's session: `node <path> --launch FILE`. */
export const bridgeProgram = join(root, 'dist', 'svc-agent.js')
