import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

/** A hand takes a moment between two things, and a page may need it. */
const HAND_MS = 25
const debian = '/usr/bin/chromium'
const executablePath = process.env.CHROMIUM ?? (existsSync(debian) ? debian : undefined)

/**
 * Servers that are up already, with demo content and its accounts: the one of `VERDIGRAPH_URL`, or one for each worker
 * from the list `VERDIGRAPH_SERVERS`, since what one test does to everybody's lists another must not see.
 */
const servers: Record<string, string>[] = JSON.parse(process.env.VERDIGRAPH_SERVERS ?? '[]')
Object.assign(process.env, servers[Number(process.env.TEST_PARALLEL_INDEX ?? 0)])

export default defineConfig({
  testDir: 'e2e',
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  workers: servers.length || 1,
  reporter: [['list']],
  use: {
    baseURL: process.env.VERDIGRAPH_URL ?? 'http://localhost:8080',
    viewport: { width: 1280, height: 860 },
    // A trace takes time, and is of use where somebody looks at it.
    trace: process.env.CI ? 'off' : 'retain-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      // Without a graphics card the processor draws; drawing through a software stand-in for one takes it longer.
      args: ['--no-sandbox', '--disable-gpu'],
      slowMo: HAND_MS,
    },
  },
})
