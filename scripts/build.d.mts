import type { BuildOptions } from 'esbuild'

export const SHARED: BuildOptions
export function build(outdir?: string): Promise<number>
export function buildIfStale(): Promise<void>
