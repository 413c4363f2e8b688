import { addTexts } from '@/shared/i18n/late'
import texts from '@/shared/i18n/locales/en/legal.json'

addTexts('legal', texts)
