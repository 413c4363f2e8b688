import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

const debian = '/usr/bin/chromium'
const executablePath = process.env.CHROMIUM ?? (existsSync(debian) ? debian : undefined)

/** Runs against a server that is up already: `VERDIGRAPH_URL`, with demo content and its accounts. */
export default defineConfig({
  testDir: 'e2e',
  timeout: 90_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  workers: 1,
  reporter: [['list']],
  use: {
    baseURL: process.env.VERDIGRAPH_URL ?? 'http://localhost:8080',
    viewport: { width: 1280, height: 860 },
    trace: 'retain-on-failure',
    launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox'] },
  },
})
