// Tests each ignored attribute with every other attribute.
import './ignored.test.ts';
