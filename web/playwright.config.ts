import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** Pause between two inputs: a person needs a moment, and so may a page. */
const HAND_MS = 25
const debian = '/usr/bin/chromium'
const executablePath = process.env.CHROMIUM ?? (existsSync(debian) ? debian : undefined)

/**
 * Running servers with demo content and accounts: the one of `VERDIGRAPH_URL`, or one per worker from
 * `VERDIGRAPH_SERVERS`, because a test that changes shared lists must not disturb another.
 */
const servers: Record<string, string>[] = JSON.parse(process.env.VERDIGRAPH_SERVERS ?? '[]')
Object.assign(process.env, servers[Number(process.env.TEST_PARALLEL_INDEX ?? 0)])

export default defineConfig({
  testDir: 'e2e',
  // The longest tests take 45 s, and several times as long on a busy machine.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  workers: servers.length || 1,
  reporter: [['list']],
  use: {
    baseURL: process.env.VERDIGRAPH_URL ?? 'http://localhost:8080',
    viewport: { width: 1280, height: 860 },
    // Layers appear at once: a click waits until its target rests. Tests of motion set their own preference.
    contextOptions: { reducedMotion: 'reduce' },
    // Traces take time and are only useful where a developer can open them.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        // Without a graphics card, rendering on the CPU is faster than emulating one.
        '--disable-gpu',
        // The pages of a context share a process, as tabs of one site do in a browser with many. A context keeps no
        // compiled scripts elsewhere, so a page with a process of its own would compile all of them.
        '--renderer-process-limit=1',
        '--disable-site-isolation-trials',
      ],
      slowMo: HAND_MS,
    },
  },
})
