// Types of build.mjs, for the tests that build as it does.
import type { BuildOptions } from 'esbuild'

export const SHARED: BuildOptions
export function build(outdir?: string): Promise<number>
/** Builds dist/ unless it is current. */
export function buildIfStale(): Promise<void>
